package io.countersign.scrub;

/**
 * Takes out of a text what could forge a line, hide a part of it or break storage: terminal escape
 * sequences, control characters, and in single lines also line separators and invisible direction
 * marks.
 */
public final class Clean {
    private static final char REPLACEMENT = '\uFFFD';

    private Clean() {}

    /**
     * The text without terminal sequences, NUL and other control characters (C0, DEL, C1). Newlines
     * and tabs stay; a carriage return that ends no line becomes a newline; a lone surrogate
     * becomes U+FFFD, so that the result can be stored as UTF-8. Idempotent.
     */
    public static String text(String raw) {
        String text = Ansi.strip(raw);
        int dirty = firstDirty(text);
        if (dirty == text.length()) {
            return text;
        }
        StringBuilder out = new StringBuilder(text.length()).append(text, 0, dirty);
        for (int i = dirty; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\r' && !startsLineEnd(text, i)) {
                out.append('\n');
            } else if (isLoneSurrogate(text, i)) {
                out.append(REPLACEMENT);
            } else if (!isDirtyControl(c)) {
                out.append(c);
            }
        }
        return out.toString();
    }

    /**
     * The text as one line that is safe to show beside others: cleaned, with every line break and
     * tab as a space, without direction marks and invisible characters, scrubbed of secrets, and
     * only then cut.
     *
     * @param maxChars the longest result in UTF-16 units, at least 1; a cut result ends with an
     *     ellipsis and never splits a code point
     */
    public static String line(String raw, int maxChars) {
        String text = text(raw);
        StringBuilder out = new StringBuilder(Math.min(text.length(), 1 << 16));
        for (int i = 0; i < text.length(); ) {
            int c = text.codePointAt(i);
            i += Character.charCount(c);
            if (breaksLine(c)) {
                out.append(' ');
            } else if (!isInvisible(c)) {
                out.appendCodePoint(c);
            }
        }
        return cut(Scrubber.scrub(out.toString()), maxChars);
    }

    /** The longest prefix within {@code maxChars} that splits no code point, marked when cut. */
    private static String cut(String text, int maxChars) {
        if (maxChars < 1) {
            throw new IllegalArgumentException("maxChars must be at least 1");
        }
        return text.length() <= maxChars
                ? text
                : text.substring(0, floor(text, maxChars - 1)) + '\u2026';
    }

    /** The greatest index up to {@code index} that is not inside a surrogate pair. */
    static int floor(String text, int index) {
        boolean inside =
                index > 0
                        && index < text.length()
                        && Character.isSurrogatePair(text.charAt(index - 1), text.charAt(index));
        return inside ? index - 1 : index;
    }

    private static int firstDirty(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (isDirtyControl(c)
                    || c == '\r' && !startsLineEnd(text, i)
                    || isLoneSurrogate(text, i)) {
                return i;
            }
        }
        return text.length();
    }

    private static boolean startsLineEnd(String text, int i) {
        return i + 1 < text.length() && text.charAt(i + 1) == '\n';
    }

    private static boolean isDirtyControl(char c) {
        return c < ' ' && c != '\n' && c != '\t' && c != '\r' || c >= 0x7F && c <= 0x9F;
    }

    private static boolean isLoneSurrogate(String text, int i) {
        char c = text.charAt(i);
        if (!Character.isSurrogate(c)) {
            return false;
        }
        return Character.isHighSurrogate(c)
                ? i + 1 == text.length() || !Character.isLowSurrogate(text.charAt(i + 1))
                : i == 0 || !Character.isHighSurrogate(text.charAt(i - 1));
    }

    private static boolean breaksLine(int c) {
        return c == '\n' || c == '\r' || c == '\t' || c == 0x2028 || c == 0x2029;
    }

    /**
     * Direction marks, zero-width spaces and tag characters: a reader does not see them, a model
     * does. Joiners stay, since scripts and emoji need them.
     */
    private static boolean isInvisible(int c) {
        return c >= 0x202A && c <= 0x202E
                || c >= 0x2066 && c <= 0x2069
                || c == 0x200E
                || c == 0x200F
                || c == 0x061C
                || c == 0x200B
                || c == 0x2060
                || c == 0xFEFF
                || c >= 0xE0000 && c <= 0xE007F;
    }
}
