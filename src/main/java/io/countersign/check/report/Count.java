package io.countersign.check.report;

import org.jspecify.annotations.Nullable;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A tally in the making. Until something is noted, nothing was recognised. */
final class Count {
    private static final Pattern PART = Pattern.compile("(\\d{1,9}) ([a-z][a-z ]*[a-z])");

    private int passed;
    private int failed;
    private int skipped;
    private boolean counted = true;
    private boolean recognised;
    private final Set<String> faults = new LinkedHashSet<>();
    private final Set<String> idle = new LinkedHashSet<>();

    /** Notes a summary, even one of zeros. Negative numbers count as zero. */
    void add(int passed, int failed, int skipped) {
        recognised = true;
        this.passed = Tally.sum(this.passed, Math.max(0, passed));
        this.failed = Tally.sum(this.failed, Math.max(0, failed));
        this.skipped = Tally.sum(this.skipped, Math.max(0, skipped));
    }

    void add(Count other) {
        if (!other.recognised) return;
        add(other.passed, other.failed, other.skipped);
        counted &= other.counted;
        faults.addAll(other.faults);
        idle.addAll(other.idle);
    }

    /** Believes no more passed tests than a runner's own summary counts. */
    void passedAtMost(int limit) {
        passed = Math.min(passed, limit);
    }

    void clear() {
        passed = failed = skipped = 0;
        counted = true;
        recognised = false;
        faults.clear();
        idle.clear();
    }

    /** Something ran, and nothing says how much. */
    void uncounted() {
        counted = false;
    }

    void fault(String what) {
        recognised = true;
        faults.add(what);
    }

    void idle(String why) {
        recognised = true;
        idle.add(why);
    }

    boolean recognised() {
        return recognised;
    }

    @Nullable Tally tally() {
        return recognised
                ? new Tally(
                        passed,
                        failed,
                        skipped,
                        counted,
                        faults.stream().toList(),
                        idle.stream().toList())
                : null;
    }

    /** The parts of {@code 1 failed, 2 passed} by their words. */
    static Map<String, Integer> parts(String list) {
        Map<String, Integer> parts = new LinkedHashMap<>();
        Matcher part = PART.matcher(list);
        while (part.find()) parts.merge(part.group(2), number(part.group(1)), Tally::sum);
        return parts;
    }

    /** At most nine digits, as every pattern here demands; zero for a group that is not there. */
    static int number(@Nullable String digits) {
        return digits == null || digits.isEmpty() ? 0 : Integer.parseInt(digits);
    }

    /** {@code 1 test} or {@code 2 tests}. */
    static String many(int n, String what) {
        return n + " " + what + (n == 1 ? "" : "s");
    }
}
