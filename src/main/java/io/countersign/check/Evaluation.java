package io.countersign.check;

import io.countersign.kernel.Cause;
import io.countersign.kernel.Finding;
import io.countersign.scrub.Clean;
import io.countersign.scrub.Scrubber;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** What one check came to, before it has its place in the DoD; see {@link CheckResult}. */
record Evaluation(
        CheckOutcome outcome,
        @Nullable String reason,
        @Nullable Cause cause,
        @Nullable Process process,
        @Nullable TestCounts tests,
        boolean testsUnknown,
        List<Finding> findings) {
    /** Reasons are one line each; longer ones are cut after they were scrubbed. */
    static final int MAX_REASON = 2_000;

    static final Evaluation PASSED =
            new Evaluation(CheckOutcome.PASSED, null, null, null, null, false, List.of());

    /**
     * The process that a check ran.
     *
     * @param exitCode null when it did not end by itself
     */
    record Process(
            @Nullable Integer exitCode,
            String isolation,
            CapturedText stdout,
            CapturedText stderr) {}

    Evaluation {
        findings = List.copyOf(findings);
    }

    /** The artefact falls short. */
    static Evaluation failed(String reason) {
        return not(CheckOutcome.FAILED, reason, Cause.WORK);
    }

    static Evaluation failed(String reason, Cause cause) {
        return not(CheckOutcome.FAILED, reason, cause);
    }

    static Evaluation errored(String reason) {
        return not(CheckOutcome.ERRORED, reason, Cause.INFRASTRUCTURE);
    }

    static Evaluation notRun(String reason) {
        return new Evaluation(CheckOutcome.NOT_RUN, reason, null, null, null, false, List.of());
    }

    static Evaluation not(CheckOutcome outcome, String reason, Cause cause) {
        return new Evaluation(outcome, reason, cause, null, null, false, List.of());
    }

    Evaluation of(Process ran) {
        return new Evaluation(outcome, reason, cause, ran, tests, testsUnknown, findings);
    }

    Evaluation with(@Nullable TestCounts counts, boolean unknown) {
        return new Evaluation(outcome, reason, cause, process, counts, unknown, findings);
    }

    Evaluation and(List<Finding> more) {
        List<Finding> all = new ArrayList<>(findings);
        all.addAll(more);
        return new Evaluation(outcome, reason, cause, process, tests, testsUnknown, all);
    }

    CheckResult result(int index, String kind, @Nullable String command, Duration duration) {
        return new CheckResult(
                index,
                kind,
                command == null ? null : Scrubber.scrub(command),
                outcome,
                reason == null ? null : Clean.line(reason, MAX_REASON),
                cause,
                process == null ? null : process.exitCode(),
                duration,
                process == null ? null : process.isolation(),
                tests,
                testsUnknown,
                process == null ? null : process.stdout(),
                process == null ? null : process.stderr(),
                findings.stream().map(Evaluation::clean).toList());
    }

    private static Finding clean(Finding finding) {
        return new Finding(
                finding.code(),
                finding.path() == null ? null : Clean.line(finding.path(), 1_024),
                Clean.line(finding.detail(), 500));
    }
}
