package io.countersign.gate;

import io.countersign.kernel.Cause;
import io.countersign.kernel.Finding;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * The gate's one answer. {@code pass} and {@code skipped} are never both true: a skip is accepted
 * but proves nothing.
 *
 * @param cause why it does not pass; null when it passes or is skipped
 * @param reasons for people and agents, scrubbed; never empty
 * @param findings warnings that decided nothing
 * @param evidence one line on what the verdict rests on
 */
public record Verdict(
        boolean pass,
        boolean skipped,
        Method method,
        @Nullable Cause cause,
        Assurance assurance,
        List<String> reasons,
        List<Finding> findings,
        String evidence) {
    public Verdict {
        reasons = List.copyOf(reasons);
        findings = List.copyOf(findings);
        if (pass && (skipped || cause != null)) {
            throw new IllegalArgumentException("a pass is no skip and has no cause");
        }
        if (!pass && !skipped && cause == null) {
            throw new IllegalArgumentException("a verdict that does not pass names its cause");
        }
    }

    public boolean accepted() {
        return pass || skipped;
    }
}
