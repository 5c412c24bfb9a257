package io.countersign.verification;

/**
 * What the checks lane hands to the waiting one, beside the stored check results.
 *
 * @param usedMs how much of the gate's budget the checks took
 */
record Stage(long usedMs) {}
