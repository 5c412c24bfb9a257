package io.countersign.check.report;

import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * {@code Passed! - Failed: 0, Passed: 5, ...} for each assembly; the older and the newer runner
 * write a block of counts instead, and the terminal logger one line at the end.
 */
final class DotnetReader implements SummaryReader {
    private static final Pattern ASSEMBLY =
            Pattern.compile(
                    "(?:Passed|Failed|Skipped)! +- +Failed: +(\\d{1,9}), Passed: +(\\d{1,9}),"
                            + " Skipped: +(\\d{1,9}), Total: .*");

    private static final Pattern LOGGER =
            Pattern.compile(
                    "Test summary: total: \\d+, failed: (\\d{1,9}), succeeded: (\\d{1,9}),"
                            + " skipped: (\\d{1,9}).*");

    private static final Pattern HEADER =
            Pattern.compile("Total tests: (?:\\d+|Unknown)|Test run summary: .*");

    private static final Pattern PART =
            Pattern.compile(" +(total|failed|succeeded|passed|skipped): (\\d{1,9})");

    private final Count assemblies = new Count();
    private final Count totals = new Count();
    private final Map<String, Integer> block = new HashMap<>();
    private boolean inBlock;

    @Override
    public String starts() {
        return "PFSTNtfsp";
    }

    @Override
    public void read(String line) {
        Matcher part = PART.matcher(line.toLowerCase(Locale.ROOT));
        if (inBlock && part.matches()) {
            block.put(part.group(1), Count.number(part.group(2)));
            return;
        }
        close();
        if (HEADER.matcher(line).matches()) {
            inBlock = true;
        } else if (line.startsWith("No test is available in ")
                || line.startsWith("No test matches the given testcase filter")) {
            assemblies.idle("no test is available or matches");
        } else if (line.contains("test run was aborted") || line.equals("Test Run Aborted.")) {
            assemblies.fault("the test run was aborted");
        } else if (line.contains("ailed: ")) {
            add(ASSEMBLY.matcher(line), assemblies);
            add(LOGGER.matcher(line), totals);
        }
    }

    private static void add(Matcher line, Count count) {
        if (!line.matches()) return;
        count.add(
                Count.number(line.group(2)),
                Count.number(line.group(1)),
                Count.number(line.group(3)));
    }

    private void close() {
        if (inBlock && !block.isEmpty()) {
            totals.add(
                    block.getOrDefault("passed", 0) + block.getOrDefault("succeeded", 0),
                    block.getOrDefault("failed", 0),
                    block.getOrDefault("skipped", 0));
        }
        block.clear();
        inBlock = false;
    }

    @Override
    public @Nullable Tally end() {
        close();
        Tally each = assemblies.tally();
        boolean counted = each != null && each.run() + each.skipped() > 0;
        if (!counted) assemblies.add(totals);
        return assemblies.tally();
    }
}
