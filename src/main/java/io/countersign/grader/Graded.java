package io.countersign.grader;

/**
 * A grading that ended.
 *
 * @param result what the gate concludes from
 * @param row what is stored and shown
 */
public record Graded(GradingResult result, GradingRow row) {}
