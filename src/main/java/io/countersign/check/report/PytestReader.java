package io.countersign.check.report;

import org.jspecify.annotations.Nullable;

import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code 1 failed, 2 passed in 0.12s}, with or without the rule around it. */
final class PytestReader implements SummaryReader {
    private static final Pattern SUMMARY =
            Pattern.compile(
                    "=* ?((?:\\d{1,9} [a-z]+(?: [a-z]+)?, )*\\d{1,9} [a-z]+(?: [a-z]+)?"
                            + "|no tests ran|no tests collected) in \\d[\\d.]*s(?: \\([\\d:]+\\))?"
                            + " ?=*");

    private static final Set<String> WORDS =
            Set.of(
                    "passed",
                    "failed",
                    "skipped",
                    "deselected",
                    "xfailed",
                    "xpassed",
                    "error",
                    "errors",
                    "warning",
                    "warnings",
                    "test collected",
                    "tests collected");

    private static final Pattern START = Pattern.compile("=+ test session starts =+");
    private static final Pattern COLLECTING = Pattern.compile("_+ ERROR collecting (.+?) _+");

    private final Count count = new Count();
    private int open;
    private boolean gap;

    @Override
    public String starts() {
        return "=_0123456789En";
    }

    @Override
    public void read(String line) {
        if (line.endsWith("=") && START.matcher(line).matches()) {
            open++;
            return;
        }
        if (line.startsWith("ERROR: file or directory not found: ")) {
            count.idle(line.substring("ERROR: ".length()));
            return;
        }
        Matcher collecting = COLLECTING.matcher(line);
        if (line.startsWith("_") && collecting.matches()) {
            count.fault("collection error in " + collecting.group(1));
            return;
        }
        Matcher summary = SUMMARY.matcher(line);
        if (summary.matches()) readSummary(summary.group(1));
    }

    private void readSummary(String list) {
        Map<String, Integer> parts = Count.parts(list);
        if (!parts.isEmpty() && parts.keySet().stream().noneMatch(WORDS::contains)) return;
        open = Math.max(0, open - 1);
        count.add(
                parts.getOrDefault("passed", 0),
                parts.getOrDefault("failed", 0)
                        + parts.getOrDefault("error", 0)
                        + parts.getOrDefault("errors", 0),
                parts.getOrDefault("skipped", 0) + parts.getOrDefault("xfailed", 0));
        note(parts, "deselected");
        note(parts, "xfailed");
        note(parts, "xpassed");
        note(parts, "test collected");
        note(parts, "tests collected");
    }

    private void note(Map<String, Integer> parts, String word) {
        if (parts.containsKey(word)) count.idle(parts.get(word) + " " + word);
    }

    @Override
    public void gap() {
        gap = true;
    }

    @Override
    public @Nullable Tally end() {
        if (open > 0 && !gap) count.fault("pytest broke off before its summary");
        return count.tally();
    }
}
