package io.countersign.scrub;

/** Character classes and bounded look-ahead that the finders share. */
final class Text {
    private Text() {}

    static boolean isUpper(char c) {
        return c >= 'A' && c <= 'Z';
    }

    static boolean isLower(char c) {
        return c >= 'a' && c <= 'z';
    }

    static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    static boolean isAlpha(char c) {
        return isUpper(c) || isLower(c);
    }

    static boolean isAlnum(char c) {
        return isAlpha(c) || isDigit(c);
    }

    static boolean isWord(char c) {
        return isAlnum(c) || c == '_' || c == '-';
    }

    static boolean isBase64(char c) {
        return isAlnum(c) || c == '+' || c == '/' || c == '=';
    }

    static boolean isSpace(char c) {
        return c == ' ' || c == '\t';
    }

    static boolean isBlank(char c) {
        return isSpace(c) || c == '\n' || c == '\r';
    }

    static boolean isQuote(char c) {
        return c == '"' || c == '\'' || c == '`';
    }

    /** The character at {@code i}, or NUL (which cleaned text does not hold) outside the text. */
    static char at(String text, int i) {
        return i >= 0 && i < text.length() ? text.charAt(i) : '\0';
    }

    static int skipSpaces(String text, int from) {
        int i = from;
        while (isSpace(at(text, i))) {
            i++;
        }
        return i;
    }

    /** Whether the letters and digits from {@code start} to {@code end} mix like a random token. */
    static boolean looksRandom(String text, int start, int end) {
        boolean digit = false;
        boolean letter = false;
        for (int i = start; i < end; i++) {
            digit |= isDigit(text.charAt(i));
            letter |= isAlpha(text.charAt(i));
        }
        return digit && letter;
    }
}
