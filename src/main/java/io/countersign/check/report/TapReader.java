package io.countersign.check.report;

import org.jspecify.annotations.Nullable;

import java.util.Locale;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The Test Anything Protocol. Only leaves count: a point with points of its own is a group, and a
 * point named like a source file is a file without a test in it. A stream that ends before its plan
 * is kept is a failure.
 */
final class TapReader implements SummaryReader {
    private static final Pattern VERSION = Pattern.compile("TAP version \\d{1,3}");
    private static final Pattern PLAN = Pattern.compile("1\\.\\.(\\d{1,9})(?: *#.*)?");
    private static final Pattern POINT =
            Pattern.compile("(not )?ok(?: +\\d{1,9})?(?: +-)?(?: +(.*))?");
    private static final Pattern DIRECTIVE =
            Pattern.compile("(?:^|\\s)#\\s*(skip|todo)", Pattern.CASE_INSENSITIVE);
    private static final Pattern TIME = Pattern.compile(" +# time=.*$");

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
    private int yaml = -1;

    @Override
    public String starts() {
        return "-}TB1no.";
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
        return true;
    }

    private void start() {
        close();
        version = true;
    }

    private void readPlan(int indent, String body) {
        Matcher matcher = PLAN.matcher(body);
        if (indent > 0 || !matcher.matches()) return;
        plan = true;
        planned = Tally.sum(planned, Count.number(matcher.group(1)));
    }

    private void readPoint(int indent, String body) {
        Matcher point = POINT.matcher(body);
        if (!point.matches()) return;
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
            leaf(ok, TIME.matcher(description).replaceFirst(""));
        }
    }

    private void skip(String directive, boolean ok) {
        boolean failed = !ok && directive.equals("skip");
        document.add(0, failed ? 1 : 0, failed ? 0 : 1);
    }

    private void leaf(boolean ok, String name) {
        if (ok && TestFileName.is(name)) {
            files++;
            document.add(0, 0, 0);
            document.idle(name + " is a file without a test in it");
        } else {
            document.add(ok ? 1 : 0, ok ? 0 : 1, 0);
        }
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
