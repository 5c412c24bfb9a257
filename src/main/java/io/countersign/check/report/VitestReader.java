package io.countersign.check.report;

import org.jspecify.annotations.Nullable;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code Tests 1 failed | 3 passed (4)}, with {@code Test Files} and {@code Errors} beside it. */
final class VitestReader implements SummaryReader {
    private static final Pattern LINE =
            Pattern.compile(
                    " *(Tests|Test Files|Errors|Type Errors) {1,4}"
                            + "(no tests|\\d+ errors?|(?:\\d+ [a-z ]+ \\| )*\\d+ [a-z ]+ \\(\\d+\\))");

    private final Count count = new Count();

    @Override
    public String starts() {
        return "TEN";
    }

    @Override
    public void read(String line) {
        if (line.startsWith("No test files found")) {
            count.idle("no test files found");
            return;
        }
        Matcher summary = LINE.matcher(line);
        if (!summary.matches()) return;
        Map<String, Integer> parts = Count.parts(summary.group(2));
        int failed = parts.getOrDefault("failed", 0);
        switch (summary.group(1)) {
            case "Tests" ->
                    count.add(
                            parts.getOrDefault("passed", 0),
                            failed,
                            parts.getOrDefault("skipped", 0) + parts.getOrDefault("todo", 0));
            case "Test Files" -> {
                if (failed > 0) count.fault(Count.many(failed, "test file") + " failed");
            }
            default -> parts.forEach(this::error);
        }
    }

    private void error(String word, int number) {
        if (word.startsWith("error") && number > 0) {
            count.fault(Count.many(number, "error") + " outside of tests");
        }
    }

    @Override
    public @Nullable Tally end() {
        return count.tally();
    }
}
