package io.countersign.check.sandbox;

/**
 * What a run wrote.
 *
 * @param expectFound whether the command's {@code expect} occurred; false when there was none
 */
public record Output(Captured stdout, Captured stderr, boolean expectFound) {}
