package io.countersign.decision;

/** Whether a quoted text really stands in the file that it names. */
final class Quotes {
    private Quotes() {}

    /** The file of a reference such as {@code src/x.py:10} or {@code src/x.py:10-12}. */
    static String pathOf(String ref) {
        int end = ref.length();
        while (end > 0 && isPosition(ref.charAt(end - 1))) {
            end--;
        }
        boolean positioned = end > 0 && end < ref.length() && ref.charAt(end - 1) == ':';
        return positioned ? pathOf(ref.substring(0, end - 1)) : ref;
    }

    private static boolean isPosition(char c) {
        return c >= '0' && c <= '9' || c == '-' || c == 'L';
    }

    /** Whether the literal occurs in the text, runs of white space counting as one space. */
    static boolean occurs(String literal, String text) {
        return folded(text).contains(folded(literal));
    }

    private static String folded(String text) {
        StringBuilder out = new StringBuilder(text.length());
        boolean space = false;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isWhitespace(c) || c == '\u00a0') {
                space = true;
                continue;
            }
            if (space && !out.isEmpty()) {
                out.append(' ');
            }
            space = false;
            out.append(c);
        }
        return out.toString();
    }
}
