package io.countersign.check.report;

import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code 2 pass}, {@code 1 fail} ..., closed by {@code Ran 3 tests across 1 file.} */
final class BunReader implements SummaryReader {
    private static final Pattern LINE =
            Pattern.compile(" *(\\d{1,9}) (pass|fail|skip|todo|errors?|filtered out)");

    private static final Pattern END = Pattern.compile("Ran \\d+ tests? across \\d+ files?\\..*");

    private final Count count = new Count();
    private final Map<String, Integer> block = new HashMap<>();

    @Override
    public String starts() {
        return "0123456789RN";
    }

    @Override
    public void read(String line) {
        if (line.startsWith("No tests found!")) {
            count.idle("no tests found");
            return;
        }
        Matcher entry = LINE.matcher(line);
        if (entry.matches()) {
            block.merge(entry.group(2), Count.number(entry.group(1)), Tally::sum);
        } else if (END.matcher(line).matches()) {
            close();
        }
    }

    private void close() {
        count.add(
                block.getOrDefault("pass", 0),
                block.getOrDefault("fail", 0),
                block.getOrDefault("skip", 0) + block.getOrDefault("todo", 0));
        int errors = block.getOrDefault("error", 0) + block.getOrDefault("errors", 0);
        if (errors > 0) count.fault(Count.many(errors, "error") + " outside of tests");
        int filtered = block.getOrDefault("filtered out", 0);
        if (filtered > 0) count.idle(filtered + " filtered out");
        block.clear();
    }

    @Override
    public @Nullable Tally end() {
        if (block.getOrDefault("fail", 0) > 0 && block.containsKey("pass")) close();
        return count.tally();
    }
}
