package io.countersign.check.report;

import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The block of counts that {@code node --test} ends with ({@code tests 2}, {@code pass 2}, {@code
 * fail 0} ..., each line led by {@code ℹ} or {@code #}). Its {@code pass} counts a file without
 * tests as one: the spec reporter's lines show which entries those are.
 */
final class NodeTestReader implements SummaryReader {
    private static final Pattern LINE =
            Pattern.compile(
                    "(?:[#ℹ] )?(tests|suites|pass|fail|cancelled|skipped|todo|ok)"
                            + "(?: {1,3}(\\d{1,9}))?");

    private static final Pattern PASSED_ENTRY = Pattern.compile(" *[✔✓] (.+) \\(\\d[\\d.]*ms\\)");

    private final Count count = new Count();
    private final Map<String, Integer> block = new HashMap<>();
    private int files;

    @Override
    public String starts() {
        return "#ℹtspfco✔✓";
    }

    @Override
    public void read(String line) {
        Matcher entry = LINE.matcher(line);
        if (!entry.matches()) {
            close();
            noteEntry(line);
            return;
        }
        if (entry.group(1).equals("tests")) close();
        boolean follows = entry.group(1).equals("tests") || !block.isEmpty();
        if (follows && entry.group(2) != null) {
            block.put(entry.group(1), Count.number(entry.group(2)));
        }
    }

    private void noteEntry(String line) {
        if (line.indexOf('✔') < 0 && line.indexOf('✓') < 0) return;
        Matcher passed = PASSED_ENTRY.matcher(line);
        if (passed.matches() && TestFileName.is(passed.group(1))) {
            files++;
            count.idle(passed.group(1) + " is a file without a test in it");
        }
    }

    private void close() {
        if (block.containsKey("pass") || block.containsKey("fail")) {
            int cancelled = block.getOrDefault("cancelled", 0);
            count.add(
                    block.getOrDefault("pass", 0) - files,
                    block.getOrDefault("fail", 0) + cancelled,
                    block.getOrDefault("skipped", 0) + block.getOrDefault("todo", 0));
            files = 0;
        }
        block.clear();
    }

    @Override
    public @Nullable Tally end() {
        close();
        return count.tally();
    }
}
