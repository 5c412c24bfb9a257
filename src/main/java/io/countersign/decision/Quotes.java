package io.countersign.decision;

import java.util.Arrays;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Whether a quoted text really stands in the file that it names. */
final class Quotes {
    private static final Pattern PLACE =
            Pattern.compile(
                    "(?:(?::L?\\d+(?:-L?\\d+)?){1,2}|#L\\d+(?:-L?\\d+)?| \\(lines? \\d+(?:-\\d+)?\\))$");

    private Quotes() {}

    /**
     * The file of a reference such as {@code src/x.py:10}, {@code ./src/x.py:L10-L12} or {@code
     * src//x.py#L10}: without the place in it, spelt as change-sets spell paths.
     */
    static String pathOf(String ref) {
        String path = PLACE.matcher(ref.strip()).replaceFirst("");
        String plain =
                Arrays.stream(path.split("/"))
                        .filter(segment -> !segment.isEmpty() && !segment.equals("."))
                        .collect(Collectors.joining("/"));
        return path.startsWith("/") ? "/" + plain : plain;
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
