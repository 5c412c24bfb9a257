package io.countersign.check.report;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Runners whose summary is one line by itself. Named groups of the patterns say what a number is:
 * {@code passed}, {@code failed}, {@code errors}, {@code skipped}, {@code run} (all but skipped)
 * and {@code filtered}; {@code bad} is a word that is there only when the run failed.
 */
final class OneLineReader implements SummaryReader {
    private static final String N = "\\d{1,9}";

    private static final List<Pattern> SUMMARIES =
            List.of(
                    // cargo test
                    pattern(
                            "test result: (?:ok|(?<bad>FAILED))\\. (?<passed>#) passed;"
                                    + " (?<failed>#) failed; (?<skipped>#) ignored; # measured;"
                                    + " (?<filtered>#) filtered out.*"),
                    // cargo nextest
                    pattern(
                            " *Summary \\[.*\\] +# tests? run: (?<passed>#) passed(?: \\(.*\\))?"
                                    + "(?:, (?<failed>#) failed)?(?:, # timed out)?"
                                    + "(?:, (?<skipped>#) skipped)?"),
                    // JUnit's console launcher and JUnit 4
                    pattern("\\[ *(?<passed>#) tests successful *\\]"),
                    pattern("\\[ *(?<failed>#) tests failed *\\]"),
                    pattern("\\[ *(?<skipped>#) tests skipped *\\]"),
                    pattern("OK \\((?<run>#) tests?\\)"),
                    pattern("Tests run: (?<run>#),  Failures: (?<failed>#)"),
                    // gotestsum
                    pattern(
                            "DONE (?:# runs, )?(?<run>#) tests?(?:, (?<skipped>#) skipped)?"
                                    + "(?:, (?<failed>#) failures?)?(?:, (?<errors>#) errors?)?"
                                    + " in .*"),
                    // Playwright
                    pattern("  (?<passed>#) passed \\([\\d.]+(?:ms|s|m|h)\\)"),
                    pattern("  (?<failed>#) (?:failed|interrupted)"),
                    // AVA
                    pattern(" *(?<passed>#) tests? passed"),
                    pattern(" *(?<failed>#) tests? failed"),
                    // deno test
                    pattern(
                            "(?:ok|(?<bad>FAILED)) \\| (?<passed>#) passed(?: \\(# steps?\\))?"
                                    + " \\| (?<failed>#) failed(?: \\(# steps?\\))?"
                                    + "(?: \\| (?<skipped>#) ignored)?.*"),
                    // Jasmine
                    pattern(
                            "(?<run>#) specs?, (?<failed>#) failures?"
                                    + "(?:, (?<skipped>#) pending specs?)?"),
                    // CTest
                    pattern("\\d+% tests passed, (?<failed>#) tests? failed out of (?<run>#)"));

    private static final Set<String> FIRST =
            Set.of("test", "Summary", "OK", "Tests", "DONE", "ok", "FAILED");

    private final Count count = new Count();

    private static Pattern pattern(String form) {
        return Pattern.compile(form.replace("#", N));
    }

    @Override
    public String starts() {
        return "0123456789[tSOTDoF";
    }

    @Override
    public void read(String line) {
        if (!mayBeSummary(line)) return;
        for (Pattern summary : SUMMARIES) {
            Matcher matcher = summary.matcher(line);
            if (matcher.matches()) {
                add(matcher);
                return;
            }
        }
    }

    /** Spares millions of other lines the patterns. */
    private static boolean mayBeSummary(String line) {
        int start = 0;
        while (start < line.length() && line.charAt(start) == ' ') start++;
        char first = line.charAt(start);
        if (first >= '0' && first <= '9' || first == '[') return true;
        int space = line.indexOf(' ', start);
        return space > 0 && FIRST.contains(line.substring(start, space));
    }

    private void add(Matcher summary) {
        int failed = number(summary, "failed") + number(summary, "errors");
        int passed = number(summary, "passed");
        if (has(summary, "run")) passed = number(summary, "run") - failed;
        count.add(passed, failed, number(summary, "skipped"));
        if (has(summary, "bad") && failed == 0) count.fault("the summary says FAILED");
        int filtered = number(summary, "filtered");
        if (filtered > 0) count.idle(filtered + " filtered out");
    }

    private static int number(Matcher summary, String group) {
        return has(summary, group) ? Count.number(summary.group(group)) : 0;
    }

    private static boolean has(Matcher summary, String group) {
        return summary.namedGroups().containsKey(group) && summary.group(group) != null;
    }

    @Override
    public @Nullable Tally end() {
        return count.tally();
    }
}
