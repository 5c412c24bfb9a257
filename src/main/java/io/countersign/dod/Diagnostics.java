package io.countersign.dod;

import io.countersign.dod.Diagnostic.Severity;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Collects diagnostics; past a bound it only counts them, since a text can hold 100,000. */
final class Diagnostics {
    private static final int KEPT = 500;

    private final List<Diagnostic> kept = new ArrayList<>();
    private int cut;
    private int lastLine;

    void error(Line line, int index, String code, String message) {
        add(Severity.ERROR, line, index, code, message);
    }

    void warning(Line line, int index, String code, String message) {
        add(Severity.WARNING, line, index, code, message);
    }

    private void add(Severity severity, Line line, int index, String code, String message) {
        lastLine = Math.max(lastLine, line.number());
        if (kept.size() < KEPT) {
            kept.add(new Diagnostic(severity, line.number(), index + 1, code, message));
        } else {
            cut++;
        }
    }

    /** In line order, and within a line as they were found. */
    List<Diagnostic> list() {
        List<Diagnostic> sorted = new ArrayList<>(kept);
        if (cut > 0) {
            sorted.add(
                    new Diagnostic(
                            Severity.WARNING,
                            lastLine,
                            1,
                            "more-diagnostics",
                            cut + " further diagnostics are not listed"));
        }
        sorted.sort(Comparator.comparingInt(Diagnostic::line));
        return sorted;
    }
}
