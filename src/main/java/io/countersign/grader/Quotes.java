package io.countersign.grader;

import java.util.Arrays;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** How a quote names its file, and whether its text stands in it. */
public final class Quotes {
    private static final Pattern PLACE =
            Pattern.compile(
                    "(?:(?::L?\\d+(?:-L?\\d+)?){1,2}|#L\\d+(?:-L?\\d+)?| \\(lines? \\d+(?:-\\d+)?\\))$");

    private Quotes() {}

    /**
     * The file of a reference such as {@code src/x.py:10}, {@code ./src/x.py:L10-L12} or {@code
     * src//x.py#L10}: without the place in it, spelt as change-sets spell paths.
     */
    public static String pathOf(String ref) {
        String path = PLACE.matcher(ref.strip()).replaceFirst("");
        String plain =
                Arrays.stream(path.split("/"))
                        .filter(segment -> !segment.isEmpty() && !segment.equals("."))
                        .collect(Collectors.joining("/"));
        return path.startsWith("/") ? "/" + plain : plain;
    }

    /** Whether the literal occurs in the text, runs of white space counting as one space. */
    public static boolean occurs(String literal, String text) {
        return fold(text).contains(fold(literal));
    }

    /** Runs of white space as one space, since people and models rewrap what they copy. */
    static String fold(String text) {
        StringBuilder out = new StringBuilder(text.length());
        boolean space = false;
        for (int i = 0; i < text.length(); ) {
            int c = text.codePointAt(i);
            i += Character.charCount(c);
            if (Character.isWhitespace(c) || Character.isSpaceChar(c)) {
                space = true;
            } else {
                if (space && !out.isEmpty()) out.append(' ');
                space = false;
                out.appendCodePoint(c);
            }
        }
        return out.toString();
    }
}
