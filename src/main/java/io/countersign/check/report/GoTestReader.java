package io.countersign.check.report;

import org.jspecify.annotations.Nullable;

import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * {@code go test}: with {@code -v} or {@code -json} each test has its line. Without, a package with
 * passing tests says only {@code ok}, so that their number is not known; an answer from the test
 * cache is no run.
 */
final class GoTestReader implements SummaryReader {
    private static final Pattern TEST =
            Pattern.compile(" *--- (PASS|FAIL|SKIP): (\\S+) \\([\\d.]+s\\)");

    private static final Pattern JSON_ACTION = Pattern.compile("\"Action\":\"(pass|fail|skip)\"");
    private static final Pattern JSON_TEST = Pattern.compile("\"Test\":\"([^\"]+)\"");

    private static final Pattern SPACE = Pattern.compile("\\s+");

    /** Of a package: {@code ok}, no test files, failed. */
    private static final Set<String> STATUSES = Set.of("ok", "?", "FAIL");

    private final Count count = new Count();
    private final Count packages = new Count();

    /** The test that was read last and not counted yet: it may be the parent of the next. */
    private String last = "";

    private String lastStatus = "";

    @Override
    public String starts() {
        return "{-to?F";
    }

    @Override
    public void read(String line) {
        if (line.startsWith("{\"")) {
            readJson(line);
        } else if (line.contains("--- ")) {
            Matcher test = TEST.matcher(line);
            if (test.matches()) readTest(test.group(1), test.group(2));
        } else if (line.equals("testing: warning: no tests to run")) {
            count.idle("no tests to run");
        } else if (line.indexOf('\t') > 0) {
            String[] words = SPACE.split(line, 3);
            if (words.length > 1 && STATUSES.contains(words[0])) {
                readPackage(words[0], words[1], words.length > 2 ? words[2] : "");
            }
        }
    }

    private void readJson(String line) {
        Matcher action = JSON_ACTION.matcher(line);
        Matcher test = JSON_TEST.matcher(line);
        if (action.find() && test.find()) {
            readTest(action.group(1).toUpperCase(java.util.Locale.ROOT), test.group(1));
        }
    }

    /** Parents of subtests are named before them in text and after them in JSON. */
    private void readTest(String status, String name) {
        boolean afterItsOwn = last.startsWith(name + "/");
        boolean lastIsParent = name.startsWith(last + "/");
        if (!lastIsParent) countLast();
        last = name;
        lastStatus = afterItsOwn ? "" : status;
    }

    private void countLast() {
        switch (lastStatus) {
            case "PASS" -> count.add(1, 0, 0);
            case "FAIL" -> count.add(0, 1, 0);
            case "SKIP" -> count.add(0, 0, 1);
            default -> {}
        }
        lastStatus = "";
    }

    private void readPackage(String status, String name, String rest) {
        if (status.equals("FAIL")) {
            count.fault("package " + name + " failed");
        } else if (rest.contains("[no test files]")) {
            count.idle(name + ": no test files");
        } else if (rest.contains("[no tests to run]")) {
            count.idle(name + ": no tests to run");
        } else if (rest.contains("(cached)")) {
            count.idle(name + ": answered from go's test cache");
        } else if (status.equals("ok")) {
            packages.add(1, 0, 0);
        }
    }

    @Override
    public @Nullable Tally end() {
        countLast();
        Tally tests = count.tally();
        if (packages.recognised() && (tests == null || tests.run() + tests.skipped() == 0)) {
            count.add(packages);
            count.uncounted();
        }
        return count.tally();
    }
}
