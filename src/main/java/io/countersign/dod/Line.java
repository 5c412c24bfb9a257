package io.countersign.dod;

import java.util.ArrayList;
import java.util.List;

/**
 * One line of the text, without its line end.
 *
 * @param number from 1
 * @param text as written
 * @param start where it starts once its edges are trimmed
 * @param end where it ends then
 */
record Line(int number, String text, int start, int end) {
    private static Line of(int number, String text) {
        int start = Text.start(text);
        return new Line(number, text, start, Text.end(text, start));
    }

    /** The lines of a text; LF, CRLF and CR end a line, U+2028 and the like do not. */
    static List<Line> split(String text) {
        List<Line> lines = new ArrayList<>();
        int from = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c != '\n' && c != '\r') continue;
            lines.add(of(lines.size() + 1, text.substring(from, i)));
            if (c == '\r' && i + 1 < text.length() && text.charAt(i + 1) == '\n') i++;
            from = i + 1;
        }
        lines.add(of(lines.size() + 1, text.substring(from)));
        return lines;
    }

    boolean isBlank() {
        return start == end;
    }

    String stripped() {
        return text.substring(start, end);
    }

    /** The first index from {@code from} that is no space, at most {@code end}. */
    int skipSpaces(int from) {
        int i = from;
        while (i < end && Text.isSpace(text.charAt(i))) i++;
        return i;
    }

    /** The first index from {@code from} that is a space, at most {@code end}. */
    int wordEnd(int from) {
        int i = from;
        while (i < end && !Text.isSpace(text.charAt(i))) i++;
        return i;
    }
}
