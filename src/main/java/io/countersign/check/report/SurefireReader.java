package io.countersign.check.report;

import org.jspecify.annotations.Nullable;

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

    private static final Pattern IDLE =
            Pattern.compile(
                    "(?:\\[\\w+\\] +)?(?:.*: )?(No tests to run|Tests are skipped"
                            + "|No tests matching pattern \"[^\"]*\" were executed).*");

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
            Matcher idle = IDLE.matcher(line);
            if (idle.matches()) modules.idle(idle.group(1).toLowerCase(java.util.Locale.ROOT));
        }
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
