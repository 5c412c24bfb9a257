package io.countersign.scrub;

import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** {@code Bearer} and {@code Basic} credentials and {@code curl -u}, wherever they stand. */
final class Credentials {
    private static final int LOOK = 512;

    private Credentials() {}

    static void find(String text, Spans spans) {
        for (int i = 0; i < text.length(); i++) {
            switch (text.charAt(i)) {
                case 'b', 'B' -> findScheme(text, i, spans);
                case '-' -> findUserOption(text, i, spans);
                default -> {}
            }
        }
    }

    private static void findScheme(String text, int i, Spans spans) {
        if (Text.isAlnum(Text.at(text, i - 1))) {
            return;
        }
        if (text.regionMatches(true, i, "bearer ", 0, 7)) {
            int start = Text.skipSpaces(text, i + 7);
            int end = endOfCredential(text, start);
            if (end - start >= 16 && Text.looksRandom(text, start, end)) {
                spans.add(start, endOfAll(text, end));
            }
        } else if (text.regionMatches(true, i, "basic ", 0, 6)) {
            int start = Text.skipSpaces(text, i + 6);
            int end = endOfCredential(text, start);
            if (end - start >= 8 && holdsUserAndPassword(text.substring(start, end))) {
                spans.add(start, endOfAll(text, end));
            }
        }
    }

    private static boolean isCredential(char c) {
        return Text.isBase64(c) || c == '-' || c == '_' || c == '.' || c == '~';
    }

    private static int endOfCredential(String text, int start) {
        int end = start;
        while (end < start + LOOK && isCredential(Text.at(text, end))) {
            end++;
        }
        return end;
    }

    private static int endOfAll(String text, int from) {
        int end = from;
        while (isCredential(Text.at(text, end))) {
            end++;
        }
        return end;
    }

    private static boolean holdsUserAndPassword(String base64) {
        String whole = base64.replaceFirst("=+$", "");
        try {
            byte[] bytes = Base64.getDecoder().decode(whole.substring(0, whole.length() / 4 * 4));
            String decoded = new String(bytes, StandardCharsets.UTF_8);
            return decoded.indexOf(':') >= 0 && decoded.chars().noneMatch(c -> c < ' ' || c > 0xFF);
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** {@code -u user:password} and {@code --user user:password}. */
    private static void findUserOption(String text, int i, Spans spans) {
        if (Text.isWord(Text.at(text, i - 1))) {
            return;
        }
        int name = text.startsWith("-u", i) ? i + 2 : text.startsWith("--user", i) ? i + 6 : -1;
        if (name < 0 || !Text.isSpace(Text.at(text, name)) && Text.at(text, name) != '=') {
            return;
        }
        int start = Text.skipSpaces(text, name + 1);
        int quote = Text.isQuote(Text.at(text, start)) ? 1 : 0;
        int colon = -1;
        int end = start + quote;
        while (end < start + LOOK && !endsArgument(Text.at(text, end))) {
            if (text.charAt(end) == ':' && colon < 0) {
                colon = end;
            }
            end++;
        }
        if (colon > 0 && isPassword(text.substring(colon + 1, end))) {
            spans.add(colon + 1, end);
        }
    }

    private static boolean endsArgument(char c) {
        return c == '\0' || Text.isBlank(c) || Text.isQuote(c);
    }

    /** {@code -u 1000:1000} and {@code -u node:node} name a user and a group. */
    private static boolean isPassword(String value) {
        boolean word = value.chars().allMatch(c -> Text.isAlpha((char) c) || c == '-' || c == '_');
        boolean number = value.chars().allMatch(c -> Text.isDigit((char) c));
        return !word
                && !number
                && !value.contains(Scrubber.MARKER)
                && !SecretValues.isTemplate(value);
    }
}
