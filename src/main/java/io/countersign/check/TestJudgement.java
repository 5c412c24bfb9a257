package io.countersign.check;

import io.countersign.check.ReportFiles.Written;
import io.countersign.check.report.Tally;
import io.countersign.kernel.Cause;
import io.countersign.kernel.Finding;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Decides whether a test run that ended by itself may pass. Pure. Positive evidence is asked for: a
 * failure anywhere beats an exit code 0, and an exit code 0 without a test that passed is nothing.
 *
 * @param command as it stands in reasons
 * @param code its exit code
 * @param written what its reports say
 * @param printed what TAP and summaries say; null for nothing recognisable
 * @param report the report that the check names; null when it names none
 * @param min how many tests must pass; null asks for one
 * @param requireReport whether a run must say how many tests ran
 * @param objection why no tests can have run although nothing says so; null when they may have
 * @param inert whether the command cannot run a test, so that what it printed counts for nothing
 * @param changedTests test files of the change-set
 */
record TestJudgement(
        String command,
        int code,
        Written written,
        @Nullable Tally printed,
        @Nullable String report,
        @Nullable Integer min,
        boolean requireReport,
        @Nullable String objection,
        boolean inert,
        List<String> changedTests) {
    private static final int SHOWN = 3;

    Evaluation judge() {
        if (written instanceof Written.Broken(String why) && code == 0) {
            return Evaluation.failed(why + ": " + command);
        }
        Tally tally = tally();
        if (tally == null || inert && code == 0) return judgeUnknown();
        boolean counted = tally.counted();
        Evaluation evaluation = judge(tally);
        TestCounts counts =
                counted ? new TestCounts(tally.run(), tally.failed(), tally.skipped()) : null;
        return evaluation
                .with(counts, !counted && evaluation.outcome() == CheckOutcome.PASSED)
                .and(findings(tally));
    }

    /** The report's counts before the printed ones; faults of either. */
    private @Nullable Tally tally() {
        if (!(written instanceof Written.Reports reports)) return printed;
        Tally tally = reports.tally();
        if (printed == null || !printed.failing() || tally.failing()) return tally;
        List<String> faults = new ArrayList<>(printed.faults());
        if (printed.failed() > 0) faults.add(failedOf(printed) + " by its summary");
        return new Tally(tally.passed(), 0, tally.skipped(), tally.counted(), faults, tally.idle());
    }

    private Evaluation judge(Tally tally) {
        if (tally.failing()) return failing(tally);
        if (tally.run() == 0) return Evaluation.failed(idle(tally));
        if (code != 0) return Evaluation.failed(exited());
        int wanted = min == null ? 1 : min;
        if (tally.passed() < wanted) return Evaluation.failed(tooFew(tally, wanted));
        if (!tally.counted() && requireReport) {
            return Evaluation.failed("how many tests ran is not said: " + command);
        }
        return Evaluation.PASSED;
    }

    private Evaluation failing(Tally tally) {
        String faults = String.join(", ", tally.faults());
        if (code != 0) {
            boolean tell = !faults.isEmpty() && (tally.run() == 0 || faults.contains("collection"));
            return Evaluation.failed(exited() + (tell ? " (" + faults + ")" : ""));
        }
        String what = tally.failed() > 0 ? failedOf(tally) : faults;
        return Evaluation.failed(what + ", although the command exited 0: " + command);
    }

    private static String failedOf(Tally tally) {
        return tally.failed() + " of " + tally.run() + " tests failed";
    }

    private String exited() {
        return "command exited " + code + ": " + command;
    }

    private String idle(Tally tally) {
        List<String> why = new ArrayList<>();
        if (tally.skipped() > 0) why.add(tally.skipped() + " skipped");
        why.addAll(tally.idle().stream().limit(SHOWN).toList());
        String because = why.isEmpty() ? "" : " (" + String.join(", ", why) + ")";
        String end = code == 0 ? "" : ", and the command exited " + code;
        return "no tests ran" + because + end + ": " + command;
    }

    private String tooFew(Tally tally, int wanted) {
        return tally.counted()
                ? "only %d tests passed, and min is %d: %s"
                        .formatted(tally.passed(), wanted, command)
                : "how many tests ran is not said, and min is " + wanted + ": " + command;
    }

    private Evaluation judgeUnknown() {
        if (code != 0) return Evaluation.failed(exited());
        if (objection != null) {
            return Evaluation.failed("no tests ran (" + objection + "): " + command);
        }
        if (report != null) {
            return Evaluation.failed(
                    "no tests ran that are known of (the report "
                            + report
                            + " was not written): "
                            + command);
        }
        if (min != null || requireReport) {
            return Evaluation.failed("nothing says how many tests ran: " + command);
        }
        String detail =
                "nothing says how many tests ran, it passed on its exit code alone: " + command;
        return Evaluation.PASSED
                .with(null, true)
                .and(List.of(new Finding(Findings.TESTS_UNKNOWN, null, detail)));
    }

    private List<Finding> findings(Tally tally) {
        List<Finding> findings = new ArrayList<>();
        if (tally.skipped() > 0) findings.add(skipped(tally));
        if (!tally.counted()) {
            findings.add(
                    new Finding(
                            Findings.TESTS_UNKNOWN,
                            null,
                            "at least "
                                    + tally.passed()
                                    + " tests passed, how many is not said: "
                                    + command));
        }
        return findings;
    }

    private Finding skipped(Tally tally) {
        Set<String> files =
                written instanceof Written.Reports reports ? reports.skippedIn() : Set.of();
        String path = files.size() == 1 ? files.iterator().next() : null;
        if (path == null && changedTests.size() == 1) path = changedTests.getFirst();
        String changed =
                changedTests.isEmpty()
                        ? ""
                        : " (test files in the change-set: "
                                + OnlyChangedCheck.some(changedTests)
                                + ")";
        return new Finding(Findings.TESTS_SKIPPED, path, tally.skipped() + " skipped" + changed);
    }

    /** A bad report of the DoD. */
    static Evaluation badReport(ReportFiles.BadReport e) {
        String message = e.getMessage() == null ? "the report cannot be read" : e.getMessage();
        return Evaluation.failed(message, Cause.DOD);
    }
}
