package io.countersign.check.report;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * {@code Tests run: 3, Failures: 0, Errors: 0, Skipped: 1}: one line for each class (with the time
 * elapsed) and one for each module. A module's line stands for its classes.
 */
final class SurefireReader implements SummaryReader {
    private static final Pattern LINE =
            Pattern.compile(
                    "(?:\\[(?:INFO|WARNING|ERROR|junit)\\] +)?Tests run: (\\d{1,9}),"
                            + " Failures: (\\d{1,9}), Errors: (\\d{1,9})"
                            + "(?:, Skipped: (\\d{1,9}))?(?:, Flakes: \\d+)?(, Time elapsed: .*)?");

    private static final String NO_MATCH = "No tests matching pattern \"";
    private static final String NO_MATCH_END = "\" were executed";

    private final Count modules = new Count();
    private Count classes = new Count();

    @Override
    public String starts() {
        return "[TN";
    }

    @Override
    public void read(String line) {
        Matcher entry = LINE.matcher(line);
        if (entry.matches()) {
            boolean ofClass = entry.group(5) != null;
            if (!ofClass) classes = new Count();
            add(ofClass ? classes : modules, entry);
        } else if (line.contains("ests ")) {
            String idle = idle(line);
            if (idle != null) modules.idle(idle.toLowerCase(Locale.ROOT));
        }
    }

    /** Plain tests, since a pattern for what may stand in front backtracks. */
    private static @Nullable String idle(String line) {
        for (String words : List.of("No tests to run", "Tests are skipped")) {
            if (begins(line, line.lastIndexOf(words))) return words;
        }
        int start = line.lastIndexOf(NO_MATCH);
        int end = line.indexOf(NO_MATCH_END, Math.max(0, start) + NO_MATCH.length());
        return end > 0 && begins(line, start)
                ? line.substring(start, end + NO_MATCH_END.length())
                : null;
    }

    /** At the line's beginning, after its {@code [INFO]}, or after a goal's name and a colon. */
    private static boolean begins(String line, int at) {
        if (at < 0) return false;
        String before = line.substring(0, at).stripTrailing();
        return before.isEmpty()
                || before.endsWith(":")
                || before.indexOf(']') == before.length() - 1;
    }

    private static void add(Count count, Matcher entry) {
        int failed = Count.number(entry.group(2)) + Count.number(entry.group(3));
        int skipped = Count.number(entry.group(4));
        count.add(Count.number(entry.group(1)) - failed - skipped, failed, skipped);
    }

    @Override
    public @Nullable Tally end() {
        modules.add(classes);
        return modules.tally();
    }
}
