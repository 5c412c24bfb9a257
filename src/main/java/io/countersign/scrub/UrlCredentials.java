package io.countersign.scrub;

/** User names and passwords in the authority of a URL, of any scheme. */
final class UrlCredentials {
    private static final int MAX_AUTHORITY = 2048;

    private UrlCredentials() {}

    static void find(String text, Spans spans) {
        int colon = text.indexOf(':');
        while (colon >= 0) {
            int start = startOfAuthority(text, colon);
            if (start > 0) {
                findIn(text, start, spans);
            }
            colon = text.indexOf(':', colon + 1);
        }
    }

    /** After {@code ://}, also with slashes escaped as in JSON; 0 when there is no authority. */
    private static int startOfAuthority(String text, int colon) {
        if (text.startsWith("://", colon)) {
            return colon + 3;
        }
        return text.startsWith(":\\/\\/", colon) ? colon + 5 : 0;
    }

    private static void findIn(String text, int start, Spans spans) {
        int at = -1;
        int colon = -1;
        for (int i = start; i < text.length() && i < start + MAX_AUTHORITY; i++) {
            char c = text.charAt(i);
            if (endsAuthority(c)) {
                break;
            }
            if (c == '@') {
                at = i;
            } else if (c == ':' && colon < 0) {
                colon = i;
            }
        }
        if (at < 0) {
            return;
        }
        boolean hasPassword = colon >= 0 && colon < at;
        int userEnd = hasPassword ? colon : at;
        if (userEnd - start >= 16 && Text.looksRandom(text, start, userEnd)) {
            spans.add(start, userEnd);
        }
        if (hasPassword && !isReference(text.substring(colon + 1, at))) {
            spans.add(colon + 1, at);
        }
    }

    private static boolean endsAuthority(char c) {
        return Text.isBlank(c) || Text.isQuote(c) || c == '/' || c == '\\' || c == '?' || c == '#';
    }

    private static boolean isReference(String password) {
        return password.contains(Scrubber.MARKER) || SecretValues.isTemplate(password);
    }
}
