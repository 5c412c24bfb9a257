package io.countersign.scrub;

/** Where values without quotes end. */
final class Unquoted {
    private Unquoted() {}

    /** Where a value without quotes ends, looking no further than {@code bound}. */
    static int end(String text, int start, int bound) {
        int i = start;
        while (i < text.length() && i < bound && !ends(text, start, i)) {
            i++;
        }
        return i;
    }

    private static boolean ends(String text, int start, int i) {
        char c = text.charAt(i);
        char next = Text.at(text, i + 1);
        return switch (c) {
            case ' ', '\t', '\n', '\r' -> true;
            case '"', '\'', '`', '<' -> i > start;
            case '&' -> startsPair(text, i + 1);
            case ';', ',' ->
                    next == '\0'
                            || Text.isBlank(next)
                            || Text.isQuote(next)
                            || startsPair(text, i + 1);
            case ')', ']', '}' ->
                    next == '\0' || Text.isBlank(next) || ")]},;.:'\"".indexOf(next) >= 0;
            case '\\' -> "nrt\"'".indexOf(next) >= 0;
            default -> false;
        };
    }

    private static boolean startsPair(String text, int from) {
        int i = from;
        while (i < from + 40 && (Text.isWord(Text.at(text, i)) || Text.at(text, i) == ' ')) {
            i++;
        }
        return i > from && (Text.at(text, i) == '=' || Text.at(text, i) == ':');
    }

    /** The end of a value that is redacted: past what was looked at, when it is longer. */
    static int wholeEnd(String text, int start, int end) {
        int stop = end;
        while (stop < text.length()
                && stop - start >= SecretValues.LOOK
                && !ends(text, start, stop)) {
            stop++;
        }
        return stop;
    }
}
