package io.countersign.dod;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** Reads the {@code key=value} pairs of one line, from left to right, each character once. */
final class PairReader {
    /** One pair; the indices point into the line. */
    record Pair(String key, int keyAt, String value, int valueAt) {}

    /** What came out of a line. */
    sealed interface Reading {
        record Pairs(List<Pair> pairs) implements Reading {}

        /** The line breaks the grammar at {@code at}; nothing on it can be relied on. */
        record Broken(int at, String code, String message) implements Reading {}
    }

    private static final class Break extends Exception {
        private static final long serialVersionUID = 1L;
        private final int at;
        private final String code;
        private final String what;

        Break(int at, String code, String what) {
            super(what, null, false, false);
            this.at = at;
            this.code = code;
            this.what = what;
        }
    }

    private final Line line;
    private final String text;
    private final int end;
    private int at;

    private PairReader(Line line, int from) {
        this.line = line;
        this.text = line.text();
        this.end = line.end();
        this.at = line.skipSpaces(from);
    }

    static Reading read(Line line, int from) {
        PairReader reader = new PairReader(line, from);
        List<Pair> pairs = new ArrayList<>();
        try {
            while (reader.at < reader.end) pairs.add(reader.pair());
            return new Reading.Pairs(List.copyOf(pairs));
        } catch (Break e) {
            return new Reading.Broken(e.at, e.code, e.what);
        }
    }

    private Pair pair() throws Break {
        int keyAt = at;
        while (at < end && text.charAt(at) != '=' && !Text.isSpace(text.charAt(at))) at++;
        String key = text.substring(keyAt, at);
        if (at == end || text.charAt(at) != '=') {
            throw new Break(
                    keyAt,
                    "missing-equals",
                    "the word " + Text.quote(key) + " is no key=value pair" + advice(key));
        }
        if (key.isEmpty()) {
            throw new Break(keyAt, "empty-key", "an equals sign has no key before it");
        }
        int valueAt = ++at;
        String value = value(key);
        Limits.value(value, line.number());
        at = line.skipSpaces(at);
        return new Pair(key, keyAt, value, valueAt);
    }

    private String advice(String word) {
        String values = text.substring(line.start(), line.end());
        if (values.indexOf('\u201C') >= 0 || values.indexOf('\u201D') >= 0) {
            return ", write straight quotes for the typographic ones";
        }
        return word.indexOf(':') > 0
                ? ", write an equals sign for the colon"
                : ", put a value that has spaces in quotes";
    }

    private String value(String key) throws Break {
        if (at == end) return "";
        return switch (text.charAt(at)) {
            case '"' -> quoted(key, true);
            case '\'' -> quoted(key, false);
            case '{', '[' -> balanced(key);
            default -> bare(at);
        };
    }

    private String bare(int from) {
        at = line.wordEnd(at);
        return text.substring(from, at);
    }

    private String quoted(String key, boolean escapes) throws Break {
        int open = at;
        char quote = text.charAt(at++);
        StringBuilder value = new StringBuilder();
        while (at < end && text.charAt(at) != quote) {
            if (escapes && escaped(at)) at++;
            value.append(text.charAt(at++));
        }
        if (at == end) {
            throw new Break(
                    open,
                    "unclosed-quote",
                    "the quote that opens the value of " + Text.quote(key) + " never closes");
        }
        at++;
        if (at < end && !Text.isSpace(text.charAt(at))) {
            throw new Break(
                    at,
                    "text-after-quote",
                    "text touches the closing quote of " + Text.quote(key) + ", write a space");
        }
        return value.toString();
    }

    /** Only a quote and a backslash can be escaped; any other backslash stands for itself. */
    private boolean escaped(int i) {
        return text.charAt(i) == '\\'
                && i + 1 < end
                && (text.charAt(i + 1) == '"' || text.charAt(i + 1) == '\\');
    }

    private String balanced(String key) throws Break {
        int from = at;
        BitSet braces = new BitSet();
        int depth = 0;
        do {
            switch (text.charAt(at)) {
                case '{' -> braces.set(depth++, true);
                case '[' -> braces.set(depth++, false);
                case '}', ']' -> {
                    if (braces.get(--depth) != (text.charAt(at) == '}')) {
                        throw unbalanced(key, from);
                    }
                }
                case '"' -> skipString(key, from);
                default -> {}
            }
            at++;
        } while (depth > 0 && at < end);
        if (depth > 0) throw unbalanced(key, from);
        return bare(from);
    }

    /** Moves to the quote that ends the JSON string which starts here. */
    private void skipString(String key, int from) throws Break {
        at++;
        while (at < end && text.charAt(at) != '"') at += text.charAt(at) == '\\' ? 2 : 1;
        if (at >= end) throw unbalanced(key, from);
    }

    private static Break unbalanced(String key, int from) {
        return new Break(
                from,
                "unbalanced-value",
                "the brackets of "
                        + Text.quote(key)
                        + " do not close on the line, put the value in single quotes");
    }
}
