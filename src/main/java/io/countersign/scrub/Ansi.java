package io.countersign.scrub;

/** Terminal escape sequences (ECMA-48), in their seven-bit and eight-bit forms. */
public final class Ansi {
    private static final char ESC = '\u001b';
    private static final char BEL = '\u0007';
    private static final char CSI = '\u009b';
    private static final char ST = '\u009c';

    private Ansi() {}

    /**
     * The text without escape sequences. A string sequence (a title, a hyperlink) that does not end
     * on its line loses only its introducer, so that it cannot swallow the text after it. No escape
     * character is left. Linear in the length.
     */
    public static String strip(String text) {
        int i = nextIntroducer(text, 0);
        if (i == text.length()) {
            return text;
        }
        StringBuilder out = new StringBuilder(text.length());
        int copied = 0;
        while (i < text.length()) {
            out.append(text, copied, i);
            copied = sequenceEnd(text, i);
            i = nextIntroducer(text, copied);
        }
        return out.append(text, copied, text.length()).toString();
    }

    private static int nextIntroducer(String text, int from) {
        int i = from;
        while (i < text.length() && text.charAt(i) != ESC && !isEightBit(text.charAt(i))) {
            i++;
        }
        return i;
    }

    private static boolean isEightBit(char c) {
        return c == CSI || c == 0x90 || c == 0x98 || c >= 0x9d && c <= 0x9f;
    }

    private static int sequenceEnd(String text, int start) {
        if (text.charAt(start) == CSI) {
            return controlSequenceEnd(text, start + 1);
        }
        if (text.charAt(start) != ESC) {
            return stringEnd(text, start + 1);
        }
        if (start + 1 == text.length()) {
            return start + 1;
        }
        return switch (text.charAt(start + 1)) {
            case '[' -> controlSequenceEnd(text, start + 2);
            case ']', 'P', 'X', '^', '_' -> stringEnd(text, start + 2);
            default -> escapeEnd(text, start + 1);
        };
    }

    /** Parameters, intermediates and one final character; a broken one loses what was read. */
    private static int controlSequenceEnd(String text, int from) {
        int i = skip(text, skip(text, from, '0', '?'), ' ', '/');
        return i < text.length() && text.charAt(i) >= '@' && text.charAt(i) <= '~' ? i + 1 : i;
    }

    private static int escapeEnd(String text, int from) {
        int i = skip(text, from, ' ', '/');
        return i < text.length() && text.charAt(i) >= '0' && text.charAt(i) <= '~' ? i + 1 : i;
    }

    private static int stringEnd(String text, int from) {
        for (int i = from; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == BEL || c == ST) {
                return i + 1;
            }
            if (c == ESC) {
                boolean ends = i + 1 < text.length() && text.charAt(i + 1) == '\\';
                return ends ? i + 2 : from;
            }
            if (c == '\n' || isEightBit(c)) {
                return from;
            }
        }
        return from;
    }

    private static int skip(String text, int from, char low, char high) {
        int i = from;
        while (i < text.length() && text.charAt(i) >= low && text.charAt(i) <= high) {
            i++;
        }
        return i;
    }
}
