package io.countersign.check;

import java.util.Locale;
import java.util.stream.Collectors;

/** Shows a word of somebody else's text within a reason: short, on one line, nothing invisible. */
final class Shown {
    private static final int MAX = 80;

    private Shown() {}

    static String word(String word) {
        var shown = new StringBuilder();
        word.codePoints()
                .limit(MAX)
                .forEach(c -> shown.append(isVisible(c) ? Character.toString(c) : codePoint(c)));
        return word.codePointCount(0, word.length()) > MAX ? shown + "..." : shown.toString();
    }

    /**
     * The code points outside printable ASCII, at most three of them; empty when there are none.
     */
    static String oddCharacters(String word) {
        return word.codePoints()
                .filter(c -> c < 0x21 || c > 0x7e)
                .distinct()
                .limit(3)
                .mapToObj(Shown::codePoint)
                .collect(Collectors.joining(", "));
    }

    private static boolean isVisible(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR ->
                    false;
            default -> c != '`';
        };
    }

    private static String codePoint(int c) {
        return String.format(Locale.ROOT, "U+%04X", c);
    }
}
