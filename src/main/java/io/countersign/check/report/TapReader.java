package io.countersign.check.report;

import org.jspecify.annotations.Nullable;

import java.util.Locale;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The Test Anything Protocol. Only leaves count: a point with points or a plan of its own is a
 * group, so is one whose diagnostics say {@code type: 'suite'} (as {@code node:test} writes, also
 * of an empty one), and a point named like a source file is a file without a test in it. Where the
 * stream counts its own passes ({@code # pass 2}), no more are believed. A stream that ends before
 * its plan is kept is a failure.
 */
final class TapReader implements SummaryReader {
    private static final Pattern VERSION = Pattern.compile("TAP version \\d{1,3}");
    private static final Pattern PLAN = Pattern.compile("1\\.\\.(\\d{1,9})(?: *#.*)?");
    private static final Pattern POINT =
            Pattern.compile("(not )?ok(?: +\\d{1,9})?(?: +-)?(?: +(.*))?", Pattern.DOTALL);
    private static final Pattern DIRECTIVE =
            Pattern.compile("(?:^|\\s)#\\s*(skip|todo)", Pattern.CASE_INSENSITIVE);
    private static final Pattern PASSES = Pattern.compile("# pass {1,3}(\\d{1,9})");

    private final Count count = new Count();
    private final Count document = new Count();

    /** Indentations of points that no enclosing point has claimed yet. */
    private final TreeSet<Integer> unclaimed = new TreeSet<>();

    private boolean version;
    private boolean plan;
    private boolean gap;
    private boolean groupFailed;
    private int planned;
    private int points;
    private int files;
    private int filesBefore;
    private int yaml = -1;
    private int passes = Integer.MAX_VALUE;

    /** The leaf that was read last and is not counted yet: its diagnostics may say otherwise. */
    private @Nullable Leaf last;

    private record Leaf(boolean ok, String name) {}

    @Override
    public String starts() {
        return "-}TB1no.t#";
    }

    @Override
    public void read(String line) {
        int indent = 0;
        while (line.charAt(indent) == ' ') indent++;
        String body = line.substring(indent);
        if (isInYaml(indent, body)) return;
        switch (body.charAt(0)) {
            case '-' -> {
                if (body.equals("---") && !unclaimed.isEmpty()) yaml = indent;
            }
            case '}' -> unclaimed.tailSet(indent, false).clear();
            case 'T' -> {
                if (VERSION.matcher(body).matches()) start();
            }
            case 'B' -> {
                if (body.startsWith("Bail out!")) document.fault(body);
            }
            case '1' -> readPlan(indent, body);
            case 'n', 'o' -> readPoint(indent, body);
            case '#' -> readPasses(indent, body);
            default -> {}
        }
    }

    /** A point's diagnostics may hold anything, so also lines that look like points. */
    private boolean isInYaml(int indent, String body) {
        if (yaml < 0) return false;
        if (indent < yaml) {
            yaml = -1;
            return false;
        }
        if (indent == yaml && body.equals("...")) yaml = -1;
        if (indent == yaml && body.equals("type: 'suite'")) dropSuite();
        return true;
    }

    private void start() {
        close();
        version = true;
    }

    private void dropSuite() {
        if (last == null) return;
        if (last.ok()) document.idle(last.name() + " is a suite without a test in it");
        else groupFailed = true;
        last = null;
    }

    private void readPasses(int indent, String body) {
        Matcher matcher = PASSES.matcher(body);
        if (indent == 0 && matcher.matches()) passes = Count.number(matcher.group(1));
    }

    private void readPlan(int indent, String body) {
        Matcher matcher = PLAN.matcher(body);
        if (!matcher.matches()) return;
        if (indent > 0) {
            unclaimed.add(indent);
            return;
        }
        plan = true;
        planned = Tally.sum(planned, Count.number(matcher.group(1)));
    }

    private void readPoint(int indent, String body) {
        Matcher point = POINT.matcher(body);
        if (!point.matches()) return;
        countLast();
        if (indent == 0) points++;
        boolean ok = point.group(1) == null;
        String description = point.group(2) == null ? "" : point.group(2);
        boolean group = !unclaimed.tailSet(indent, false).isEmpty() || description.endsWith(" {");
        unclaimed.tailSet(indent, false).clear();
        unclaimed.add(indent);
        Matcher directive = DIRECTIVE.matcher(description);
        boolean directed = directive.find();
        if (group) {
            groupFailed |= !ok && !directed;
        } else if (directed) {
            skip(directive.group(1).toLowerCase(Locale.ROOT), ok);
        } else {
            last = new Leaf(ok, withoutTime(description));
        }
    }

    private static String withoutTime(String description) {
        int time = description.indexOf(" # time=");
        return time < 0 ? description : description.substring(0, time).stripTrailing();
    }

    private void skip(String directive, boolean ok) {
        boolean failed = !ok && directive.equals("skip");
        document.add(0, failed ? 1 : 0, failed ? 0 : 1);
    }

    private void countLast() {
        if (last == null) return;
        if (last.ok() && TestFileName.is(last.name())) {
            files++;
            document.add(0, 0, 0);
            document.idle(last.name() + " is a file without a test in it");
        } else {
            document.add(last.ok() ? 1 : 0, last.ok() ? 0 : 1, 0);
        }
        last = null;
    }

    /** Entries that were only files, which other summaries of the same stream count as passed. */
    int files() {
        return files;
    }

    @Override
    public void gap() {
        gap = true;
        yaml = -1;
    }

    private void close() {
        countLast();
        document.passedAtMost(Math.max(0, passes - (files - filesBefore)));
        boolean recognised = version || plan && (points > 0 || planned == 0);
        if (recognised) {
            count.add(document);
            count.add(0, 0, 0);
            if (gap) count.uncounted();
            else checkPlan();
            Tally tally = document.tally();
            if (groupFailed && (tally == null || !tally.failing())) {
                count.fault("a group of tests failed");
            }
        }
        document.clear();
        unclaimed.clear();
        version = plan = groupFailed = false;
        planned = points = 0;
        passes = Integer.MAX_VALUE;
        filesBefore = files;
        yaml = -1;
    }

    private void checkPlan() {
        if (!plan) {
            count.fault("the TAP stream broke off before its plan");
        } else if (points < planned) {
            count.fault("TAP planned " + planned + " tests and " + points + " ran");
        }
    }

    @Override
    public @Nullable Tally end() {
        close();
        return count.tally();
    }
}
