package io.countersign.gate;

import io.countersign.check.CheckResult;
import io.countersign.grader.GradingResult;
import io.countersign.kernel.Cause;
import io.countersign.kernel.Finding;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;

/**
 * What carrying out a {@link Plan.Verify} came to.
 *
 * @param deliverableFault why the deliverable precondition failed, for example {@code deliverable
 *     not found: dist/app.js}; null when it holds or there is none
 * @param setupFault why the setup step failed and what it counts as; null when it passed
 * @param checks one for each of the plan's checks, in its order
 * @param grading null when nothing was to be graded, or checks already failed
 * @param closedAfter the gate budget when it closed before the end; null when it did not
 * @param findings warnings beside those of the checks and the grading
 */
public record Results(
        @Nullable String deliverableFault,
        @Nullable SetupFault setupFault,
        List<CheckResult> checks,
        @Nullable GradingResult grading,
        @Nullable Duration closedAfter,
        List<Finding> findings) {
    /** A setup step that failed. */
    public record SetupFault(String reason, Cause cause) {}

    public Results {
        checks = List.copyOf(checks);
        findings = List.copyOf(findings);
    }
}
