package io.countersign.check;

/**
 * How many tests a run executed, as its report or summary says.
 *
 * @param run executed, passed and failed together
 * @param failed failures and errors
 * @param skipped skipped, ignored or disabled
 */
public record TestCounts(int run, int failed, int skipped) {}
