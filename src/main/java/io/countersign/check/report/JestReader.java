package io.countersign.check.report;

import org.jspecify.annotations.Nullable;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code Tests: 1 failed, 3 passed, 4 total}. */
final class JestReader implements SummaryReader {
    private static final Pattern LINE =
            Pattern.compile("(Tests|Test Suites): +((?:\\d+ \\w+, )*\\d+(?: of \\d+)? total)");

    private final Count count = new Count();

    @Override
    public String starts() {
        return "TN";
    }

    @Override
    public void read(String line) {
        if (line.startsWith("No tests found, exiting with code")) {
            count.idle("no tests found");
            return;
        }
        if (!line.startsWith("Test")) return;
        Matcher summary = LINE.matcher(line);
        if (!summary.matches()) return;
        Map<String, Integer> parts = Count.parts(summary.group(2));
        int failed = parts.getOrDefault("failed", 0);
        if (summary.group(1).equals("Tests")) {
            count.add(
                    parts.getOrDefault("passed", 0),
                    failed,
                    parts.getOrDefault("skipped", 0) + parts.getOrDefault("todo", 0));
        } else if (failed > 0) {
            count.fault(Count.many(failed, "test suite") + " failed");
        }
    }

    @Override
    public @Nullable Tally end() {
        return count.tally();
    }
}
