package io.countersign.dod;

/** The language's view of characters: spaces, invisible ones, and what may not be stored. */
final class Text {
    /** A longer word is named by its length: a fragment of a secret would escape redaction. */
    private static final int QUOTED = 40;

    private Text() {}

    /** Whether the character separates words: a tab or any Unicode space separator. */
    static boolean isSpace(int c) {
        return c == ' '
                || c == '\t'
                || c == '\u000B'
                || c == '\f'
                || c == '\u0085'
                || Character.getType(c) == Character.SPACE_SEPARATOR;
    }

    private static boolean isZeroWidth(char c) {
        return c == '\u00AD'
                || c == '\u061C'
                || c == '\u180E'
                || c >= '\u200B' && c <= '\u200F'
                || c >= '\u202A' && c <= '\u202E'
                || c >= '\u2060' && c <= '\u206F'
                || c == '\uFEFF';
    }

    /** Whether the character is trimmed at the edges of a line. */
    private static boolean isEdge(char c) {
        return isSpace(c) || c == '\u2028' || c == '\u2029' || isZeroWidth(c);
    }

    /** Where the text starts once its edge is trimmed; its length when nothing is left. */
    static int start(String text) {
        int i = 0;
        while (i < text.length() && isEdge(text.charAt(i))) i++;
        return i;
    }

    /** Where the text ends once its edge is trimmed, at least {@code start}. */
    static int end(String text, int start) {
        int i = text.length();
        while (i > start && isEdge(text.charAt(i - 1))) i--;
        return i;
    }

    static String strip(String text) {
        int start = start(text);
        return text.substring(start, end(text, start));
    }

    /** Whether nothing can be seen: Unicode White_Space and format characters alone. */
    static boolean isBlank(String text) {
        return text.codePoints()
                .allMatch(
                        c ->
                                isSpace(c)
                                        || Character.isWhitespace(c)
                                        || Character.getType(c) == Character.FORMAT);
    }

    /** Whether the text holds NUL or half a surrogate pair, which no store takes. */
    static boolean isUnstorable(String text) {
        return text.codePoints().anyMatch(Text::isUnstorable);
    }

    static boolean isUnstorable(int c) {
        return c == 0 || c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE;
    }

    /** The length of the text in UTF-8 bytes. */
    static int utf8Length(String text) {
        return text.codePoints().map(c -> c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4).sum();
    }

    /** A word of the text, for a message: invisible characters shown, long ones only measured. */
    static String quote(String word) {
        int length = word.codePointCount(0, word.length());
        if (length > QUOTED) return "of " + length + " characters";
        StringBuilder shown = new StringBuilder("\"");
        word.codePoints().forEach(c -> append(shown, c));
        return shown.append('"').toString();
    }

    private static void append(StringBuilder shown, int c) {
        int type = Character.getType(c);
        boolean visible =
                type != Character.CONTROL
                        && type != Character.FORMAT
                        && type != Character.SURROGATE
                        && type != Character.UNASSIGNED
                        && type != Character.LINE_SEPARATOR
                        && type != Character.PARAGRAPH_SEPARATOR;
        if (visible) {
            shown.appendCodePoint(c);
        } else {
            shown.append("<U+%04X>".formatted(c));
        }
    }
}
