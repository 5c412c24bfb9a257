package io.countersign.grader;

import io.countersign.kernel.Cause;
import io.countersign.kernel.Finding;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * What one grading came to. A grader may only refuse: it never overrules a failed check.
 *
 * @param pass whether every criterion holds
 * @param reasons scrubbed and bounded, in the grader's order
 * @param cause why it does not pass: {@code WORK} for a verdict, {@code INFRASTRUCTURE} where no
 *     verdict came; null when it passes
 * @param findings warnings, for example {@code evidence-truncated}
 */
public record GradingResult(
        boolean pass, List<String> reasons, @Nullable Cause cause, List<Finding> findings) {
    public GradingResult {
        reasons = List.copyOf(reasons);
        findings = List.copyOf(findings);
    }
}
