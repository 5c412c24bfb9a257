package io.countersign.scrub;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The parts of a text that are to be redacted. */
final class Spans {
    private record Span(int start, int end) {}

    private final List<Span> spans = new ArrayList<>();

    void add(int start, int end) {
        if (end > start) {
            spans.add(new Span(start, end));
        }
    }

    boolean isEmpty() {
        return spans.isEmpty();
    }

    /** The text with one marker in place of each part; parts that touch share one. */
    String redact(String text) {
        spans.sort(Comparator.comparingInt(Span::start));
        StringBuilder out = new StringBuilder(text.length());
        int done = 0;
        int redactedTo = -1;
        for (Span span : spans) {
            if (span.start() > redactedTo) {
                out.append(text, done, span.start()).append(Scrubber.MARKER);
            }
            redactedTo = Math.max(redactedTo, span.end());
            done = redactedTo;
        }
        return out.append(text, done, text.length()).toString();
    }
}
