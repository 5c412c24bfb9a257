package io.countersign.evidence;

/**
 * Why a document is refused.
 *
 * @param pointer JSON pointer of the place; empty for the whole document
 * @param message what is wrong; never a value of the document
 */
public record EvidenceProblem(String pointer, String message) {}
