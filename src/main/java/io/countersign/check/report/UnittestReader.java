package io.countersign.check.report;

import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code Ran 3 tests in 0.001s}, then {@code OK (skipped=1)} or {@code FAILED (failures=1)}. */
final class UnittestReader implements SummaryReader {
    private static final Pattern RAN = Pattern.compile("Ran (\\d{1,9}) tests? in \\d[\\d.]*s");

    private static final Pattern STATUS =
            Pattern.compile(
                    "(OK|FAILED|NO TESTS RAN)(?: \\(([a-z ]+=\\d+(?:, [a-z ]+=\\d+)*)\\))?");

    private static final Pattern PART = Pattern.compile("([a-z ]+)=(\\d{1,9})");

    private final Count count = new Count();
    private int ran = -1;

    @Override
    public String starts() {
        return "REOFN";
    }

    @Override
    public void read(String line) {
        if (line.startsWith("ERROR: ") && line.contains("unittest.loader._FailedTest")) {
            count.fault("collection error: " + line.substring("ERROR: ".length()));
            return;
        }
        Matcher header = RAN.matcher(line);
        if (header.matches()) {
            brokeOff();
            ran = Count.number(header.group(1));
        } else if (ran >= 0) {
            readStatus(line);
        }
    }

    private void readStatus(String line) {
        Matcher status = STATUS.matcher(line);
        if (!status.matches()) return;
        Map<String, Integer> parts = parts(status.group(2));
        int failed =
                parts.getOrDefault("failures", 0)
                        + parts.getOrDefault("errors", 0)
                        + parts.getOrDefault("unexpected successes", 0);
        int skipped = parts.getOrDefault("skipped", 0) + parts.getOrDefault("expected failures", 0);
        count.add(ran - failed - skipped, failed, skipped);
        if (status.group(1).equals("FAILED") && failed == 0) count.fault("unittest says FAILED");
        ran = -1;
    }

    private static Map<String, Integer> parts(@Nullable String list) {
        Map<String, Integer> parts = new HashMap<>();
        if (list == null) return parts;
        Matcher part = PART.matcher(list);
        while (part.find()) parts.put(part.group(1).strip(), Count.number(part.group(2)));
        return parts;
    }

    private void brokeOff() {
        if (ran >= 0) count.fault("unittest broke off before its result");
    }

    @Override
    public void gap() {
        ran = -1;
    }

    @Override
    public @Nullable Tally end() {
        brokeOff();
        return count.tally();
    }
}
