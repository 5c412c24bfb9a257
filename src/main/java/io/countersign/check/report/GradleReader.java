package io.countersign.check.report;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * {@code 3 tests completed, 1 failed}, which Gradle prints only for a task that failed, the lines
 * of its test logging, and test tasks that did nothing.
 */
final class GradleReader implements SummaryReader {
    private static final Pattern SUMMARY =
            Pattern.compile(
                    "(\\d{1,9}) tests? completed(?:, (\\d{1,9}) failed)?"
                            + "(?:, (\\d{1,9}) skipped)?");

    private static final List<String> STATUSES = List.of("PASSED", "FAILED", "SKIPPED");

    private static final Pattern IDLE =
            Pattern.compile(
                    "> Task (:(?:\\S+:)?\\w*[tT]est) (NO-SOURCE|UP-TO-DATE|FROM-CACHE|SKIPPED)");

    private final Count tasks = new Count();
    private Count tests = new Count();

    @Override
    public String starts() {
        return "";
    }

    @Override
    public void read(String line) {
        if (line.startsWith("> Task ")) {
            tasks.add(tests);
            tests = new Count();
            Matcher idle = IDLE.matcher(line);
            if (idle.matches()) tasks.idle(idle.group(1) + " was " + idle.group(2));
            return;
        }
        if (line.endsWith("ED") && line.charAt(0) > ' ' && line.indexOf(" > ", 1) > 0) {
            readTest(line);
            return;
        }
        Matcher summary = SUMMARY.matcher(line);
        if (!line.contains(" completed") || !summary.matches()) return;
        int failed = Count.number(summary.group(2));
        int skipped = Count.number(summary.group(3));
        tasks.add(Count.number(summary.group(1)) - failed - skipped, failed, skipped);
        tests = new Count();
    }

    /** {@code ATest > adds() PASSED}. Plain tests, since a pattern for it backtracks. */
    private void readTest(String line) {
        String status = line.substring(line.lastIndexOf(' ') + 1);
        int name = line.indexOf(" > ", 1) + " > ".length();
        if (!STATUSES.contains(status) || line.length() - status.length() - 1 <= name) return;
        switch (status) {
            case "PASSED" -> tests.add(1, 0, 0);
            case "FAILED" -> tests.add(0, 1, 0);
            default -> tests.add(0, 0, 1);
        }
    }

    @Override
    public @Nullable Tally end() {
        tasks.add(tests);
        return tasks.tally();
    }
}
