package io.countersign.check.report;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * What reports or summaries say about the tests of one run, summed over all of them. Only tests
 * count that ran as such: what was skipped, deselected, expected to fail, or is merely the name of
 * a test file is no passed test.
 *
 * @param passed tests that passed; a lower bound where {@code counted} is false
 * @param failed failures and errors
 * @param skipped skipped, ignored, disabled, or to be done
 * @param counted false when something ran whose number is not said
 * @param faults what is wrong beyond failed tests, for example {@code 1 test file failed}
 * @param idle why nothing or less ran, for example {@code 3 deselected}
 */
public record Tally(
        int passed,
        int failed,
        int skipped,
        boolean counted,
        List<String> faults,
        List<String> idle) {
    private static final int MAX_NOTES = 5;

    public Tally {
        faults = bounded(faults);
        idle = bounded(idle);
    }

    /** Whether any summary reports a failure, whatever the others say. */
    public boolean failing() {
        return failed > 0 || !faults.isEmpty();
    }

    /** Executed tests. */
    public int run() {
        return sum(passed, failed);
    }

    public Tally plus(Tally other) {
        return new Tally(
                sum(passed, other.passed),
                sum(failed, other.failed),
                sum(skipped, other.skipped),
                counted && other.counted,
                joined(faults, other.faults),
                joined(idle, other.idle));
    }

    /** What two accounts of the same tests come to: the larger numbers, all faults. */
    Tally or(Tally other) {
        return new Tally(
                Math.max(passed, other.passed),
                Math.max(failed, other.failed),
                Math.max(skipped, other.skipped),
                counted && other.counted,
                joined(faults, other.faults),
                joined(idle, other.idle));
    }

    private static List<String> bounded(List<String> notes) {
        return List.copyOf(notes.subList(0, Math.min(notes.size(), MAX_NOTES)));
    }

    private static List<String> joined(List<String> some, List<String> more) {
        Set<String> all = new LinkedHashSet<>(some);
        all.addAll(more);
        return new ArrayList<>(all);
    }

    static int sum(int a, int b) {
        return (int) Math.min(Integer.MAX_VALUE, (long) a + b);
    }
}
