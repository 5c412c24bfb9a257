package io.countersign.check.report;

import org.jspecify.annotations.Nullable;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code 2 passing (5ms)}, {@code 1 failing}, {@code 1 pending}. */
final class MochaReader implements SummaryReader {
    private static final Pattern LINE =
            Pattern.compile(" {0,4}(\\d{1,9}) (?:(passing)(?: \\([^)]*\\))?|(failing)|(pending))");

    private final Count count = new Count();
    private boolean summary;

    @Override
    public String starts() {
        return "0123456789E";
    }

    @Override
    public void read(String line) {
        if (line.startsWith("Error: No test files found")) {
            count.idle("no test files found");
            return;
        }
        Matcher entry = LINE.matcher(line);
        if (!entry.matches()) return;
        int number = Count.number(entry.group(1));
        if (entry.group(2) != null) {
            summary = true;
            count.add(number, 0, 0);
        } else if (entry.group(3) != null) {
            count.add(0, number, 0);
        } else if (summary) {
            count.add(0, 0, number);
        }
    }

    @Override
    public @Nullable Tally end() {
        return count.tally();
    }
}
