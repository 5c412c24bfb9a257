package io.countersign.scrub;

import io.countersign.scrub.SecretNames.Kind;

import java.util.Locale;
import java.util.Set;

/** Values of the headers that carry credentials in a form of their own. */
final class HeaderValues {
    private static final Set<String> SCHEMES =
            Set.of(
                    "bearer",
                    "basic",
                    "token",
                    "digest",
                    "negotiate",
                    "apikey",
                    "hawk",
                    "oauth",
                    "signature",
                    "aws4-hmac-sha256");

    private static final Set<String> COOKIE_ATTRIBUTES =
            Set.of("path", "expires", "max-age", "domain", "samesite", "priority");

    private HeaderValues() {}

    /** {@code Authorization: <scheme> <credentials>}; the scheme stays. */
    static int authorization(String text, int start, Spans spans) {
        int schemeEnd = start;
        while (schemeEnd < start + 40 && Text.isWord(Text.at(text, schemeEnd))) {
            schemeEnd++;
        }
        String scheme = text.substring(start, schemeEnd).toLowerCase(Locale.ROOT);
        boolean known = SCHEMES.contains(scheme) && Text.isSpace(Text.at(text, schemeEnd));
        int from = known ? Text.skipSpaces(text, schemeEnd) : start;
        int end = Unquoted.end(text, from, from + SecretValues.LOOK);
        String value = text.substring(from, end);
        if (value.isEmpty()) {
            return schemeEnd;
        }
        boolean prose = Text.isAlpha(Text.at(text, Text.skipSpaces(text, end)));
        SecretValues.Place place = new SecretValues.Place(false, false, prose);
        if (!SecretValues.isSecret(known ? Kind.STRONG : Kind.WEAK, value, place)) {
            return schemeEnd;
        }
        boolean parameters = known && value.indexOf('=') > 0 && value.endsWith(",");
        int stop = parameters ? endOfLine(text, from) : Unquoted.wholeEnd(text, from, end);
        spans.add(from, stop);
        return stop;
    }

    private static int endOfLine(String text, int from) {
        int i = from;
        while (i < text.length() && text.charAt(i) != '\n' && text.charAt(i) != '\'') {
            i++;
        }
        return i;
    }

    /** {@code name=value} pairs; attributes of a cookie stay. */
    static int cookies(String text, int start, Spans spans) {
        int i = start;
        while (i < text.length() && text.charAt(i) != '\n' && text.charAt(i) != '"') {
            int nameEnd = i;
            while (Text.isWord(Text.at(text, nameEnd)) || Text.at(text, nameEnd) == '.') {
                nameEnd++;
            }
            if (nameEnd == i || Text.at(text, nameEnd) != '=') {
                i = Math.max(nameEnd, i + 1);
                continue;
            }
            i = cookie(text, i, nameEnd, spans);
        }
        return i;
    }

    private static int cookie(String text, int nameStart, int nameEnd, Spans spans) {
        int end = nameEnd + 1;
        while (end < text.length() && ";\n\r\"'`".indexOf(text.charAt(end)) < 0) {
            end++;
        }
        String name = text.substring(nameStart, nameEnd).toLowerCase(Locale.ROOT);
        int look = Math.min(end, nameEnd + 1 + SecretValues.LOOK);
        String value = text.substring(nameEnd + 1, look);
        if (!COOKIE_ATTRIBUTES.contains(name)
                && !value.contains(Scrubber.MARKER)
                && !SecretValues.isTemplate(value)) {
            spans.add(nameEnd + 1, end);
        }
        return end;
    }
}
