package io.countersign.scrub;

import io.countersign.scrub.SecretNames.Kind;

import java.util.Locale;
import java.util.Set;

/**
 * Values beside a name that says they are secret: {@code name: value}, {@code name=value}, JSON,
 * YAML, connection strings, options, headers, XML elements.
 */
final class Assignments {
    private static final int QUOTED = 16 * 1024;

    private static final Set<String> DECLARATIONS =
            Set.of(
                    "let",
                    "const",
                    "var",
                    "val",
                    "final",
                    "string",
                    "str",
                    "auto",
                    "char",
                    "readonly",
                    "static",
                    "private",
                    "public",
                    "protected",
                    "mut",
                    "def");

    private final String text;
    private final Spans spans;

    private Assignments(String text, Spans spans) {
        this.text = text;
        this.spans = spans;
    }

    static void find(String text, Spans spans) {
        new Assignments(text, spans).run();
    }

    private void run() {
        int i = 0;
        while (i < text.length()) {
            if (!Text.isWord(text.charAt(i))) {
                i++;
                continue;
            }
            int end = i;
            while (Text.isWord(Text.at(text, end))) {
                end++;
            }
            Kind kind = SecretNames.kindOf(text, i, end);
            i = kind == Kind.NONE ? end : Math.max(end, redactAfter(kind, i, end));
        }
    }

    /** Redacts the value of the name at {@code start}; answers where to read on. */
    private int redactAfter(Kind kind, int start, int end) {
        int i = skipNameEnd(end);
        char separator = separatorAt(start, i);
        return switch (separator) {
            case '<' -> element(kind, i + 1);
            case ' ' -> argument(kind, start, end);
            case '=', ':', '>' -> value(kind, start, end, i, separator);
            default -> end;
        };
    }

    /** Past what may stand between a name and its separator: a quote, a bracket, {@code ?}. */
    private int skipNameEnd(int end) {
        int i = end;
        while (Text.at(text, i) == '\\' && i < end + 3) {
            i++;
        }
        if (Text.isQuote(Text.at(text, i))) {
            i++;
            i = Text.at(text, i) == ']' ? i + 1 : i;
        }
        if (Text.at(text, i) == '?' && Text.at(text, i + 1) == ':') {
            i++;
        }
        return Text.skipSpaces(text, i);
    }

    /** The separator's kind: = : > (rocket) < (element) or a space; NUL when it is none. */
    private char separatorAt(int start, int i) {
        char c = Text.at(text, i);
        char next = Text.at(text, i + 1);
        if (c == '>' && Text.at(text, start - 1) == '<') {
            return '<';
        }
        if (c == '=') {
            return next == '>' ? '>' : next == '=' || next == '~' ? '\0' : '=';
        }
        if (c == ':') {
            return next == ':' || next == '/' && Text.at(text, i + 2) == '/' ? '\0' : ':';
        }
        return i > start && Text.isSpace(Text.at(text, i - 1)) ? ' ' : '\0';
    }

    private int element(Kind kind, int start) {
        int end = start;
        while (end < start + SecretValues.LOOK && end < text.length() && text.charAt(end) != '<') {
            end++;
        }
        boolean closes = Text.at(text, end) == '<' && Text.at(text, end + 1) == '/';
        if (closes && SecretValues.isSecretInQuotes(kind, text.substring(start, end))) {
            spans.add(start, end);
            return end;
        }
        return start;
    }

    /** {@code --password value}, {@code _authToken value}, {@code login x password y}. */
    private int argument(Kind kind, int start, int nameEnd) {
        int valueStart = Text.skipSpaces(text, nameEnd);
        int end = Unquoted.end(text, valueStart, valueStart + SecretValues.LOOK);
        String value = text.substring(valueStart, end);
        boolean option = text.startsWith("--", start);
        boolean login = isLoginLine(start);
        int min = option || login ? 4 : 16;
        boolean fits =
                value.length() >= min
                        && !value.startsWith("-")
                        && (login || Text.looksRandom(value, 0, value.length()))
                        && SecretValues.isSecret(
                                login ? Kind.STRONG : kind,
                                value,
                                new SecretValues.Place(false, false, false));
        return fits ? redact(valueStart, end) : nameEnd;
    }

    private boolean isLoginLine(int nameStart) {
        int from = Math.max(0, nameStart - 120);
        int login = text.substring(from, nameStart).lastIndexOf("login ");
        return login >= 0 && text.substring(from + login, nameStart).indexOf('\n') < 0;
    }

    private int value(Kind kind, int nameStart, int nameEnd, int separatorAt, char separator) {
        int after =
                separatorAt + (separator == '>' || Text.at(text, separatorAt + 1) == '=' ? 2 : 1);
        int start = Text.skipSpaces(text, after);
        start = blockScalar(start);
        if (kind == Kind.COOKIE) {
            return HeaderValues.cookies(text, start, spans);
        }
        int quote = quoteAt(start);
        if (kind == Kind.AUTHORIZATION) {
            return HeaderValues.authorization(text, quote < 0 ? start : quote + 1, spans);
        }
        if (quote >= 0) {
            return quoted(kind, start, quote);
        }
        return separator == '>' ? after : unquoted(kind, nameStart, nameEnd, after, start);
    }

    /** YAML's {@code |} and {@code >}: the value stands on the next line. */
    private int blockScalar(int start) {
        int i = start;
        if (Text.at(text, i) != '|' && Text.at(text, i) != '>') {
            return start;
        }
        i++;
        i = Text.at(text, i) == '-' || Text.at(text, i) == '+' ? i + 1 : i;
        i = Text.at(text, i) == '\r' ? i + 1 : i;
        return Text.at(text, i) == '\n' ? Text.skipSpaces(text, i + 1) : start;
    }

    /** Where the opening quote of a string literal stands, or -1. */
    private int quoteAt(int start) {
        int i = start;
        if (Text.isAlpha(Text.at(text, i)) && Text.isQuote(Text.at(text, i + 1))) {
            i++;
        }
        while (Text.at(text, i) == '\\' && i < start + 3) {
            i++;
        }
        return Text.isQuote(Text.at(text, i)) ? i : -1;
    }

    private int quoted(Kind kind, int start, int quote) {
        int end = endOfQuoted(quote);
        if (end < 0) {
            return unquoted(kind, start, start, quote + 1, quote + 1);
        }
        String content = text.substring(quote + 1, Math.min(end, quote + 1 + SecretValues.LOOK));
        if (SecretValues.isSecretInQuotes(kind, content)) {
            spans.add(quote + 1, end);
            return end;
        }
        return quote + 1;
    }

    /** Where the content of the string ends, or -1 when its line ends first. */
    private int endOfQuoted(int quote) {
        boolean escaped = Text.at(text, quote - 1) == '\\';
        char c = text.charAt(quote);
        for (int i = quote + 1; i < text.length() && i < quote + QUOTED; i++) {
            if (text.charAt(i) == '\n') {
                return -1;
            }
            if (text.charAt(i) == '\\' && !(escaped && Text.at(text, i + 1) == c)) {
                i++;
            } else if (text.charAt(i) == '\\') {
                return i;
            } else if (text.charAt(i) == c) {
                return i;
            }
        }
        return -1;
    }

    private int unquoted(Kind kind, int nameStart, int nameEnd, int after, int start) {
        int end = Unquoted.end(text, start, start + SecretValues.LOOK);
        if (end == start) {
            return after;
        }
        String value = text.substring(start, end);
        int assigned = initialiserAfterType(value, end);
        if (assigned > 0) {
            return unquotedOrQuoted(kind, nameStart, nameEnd, assigned);
        }
        if (SecretValues.isSecret(kind, value, placeOf(nameStart, nameEnd, after, start, end))) {
            return redact(start, continued(nameStart, end));
        }
        return after;
    }

    private int unquotedOrQuoted(Kind kind, int nameStart, int nameEnd, int start) {
        int quote = quoteAt(start);
        return quote >= 0
                ? quoted(kind, start, quote)
                : unquoted(kind, nameStart, nameEnd, start - 1, start);
    }

    /** {@code password: str = "x"}: what looks like the value is its type. */
    private int initialiserAfterType(String value, int end) {
        int i = Text.skipSpaces(text, end);
        boolean assigns =
                i > end
                        && Text.at(text, i) == '='
                        && Text.isSpace(Text.at(text, i + 1))
                        && Text.isAlpha(value.charAt(0));
        return assigns ? Text.skipSpaces(text, i + 1) : 0;
    }

    private SecretValues.Place placeOf(int nameStart, int nameEnd, int after, int start, int end) {
        String name = text.substring(Math.max(nameStart, nameEnd - 64), nameEnd);
        boolean tight = start == after && Text.at(text, after - 1) == '=' && after - 1 == nameEnd;
        char next = Text.at(text, end);
        boolean terminated = start > after && (next == ';' || next == ',' || next == ')');
        int word = Text.skipSpaces(text, end);
        boolean prose = !tight && word > end && Text.isAlpha(Text.at(text, word));
        return new SecretValues.Place(
                SecretNames.isCapitals(name) && !name.isEmpty() && (tight || !terminated),
                terminated || isDeclared(nameStart),
                prose);
    }

    private boolean isDeclared(int nameStart) {
        String before = text.substring(Math.max(0, nameStart - 12), nameStart);
        if (before.endsWith("this.") || before.endsWith("self.") || before.endsWith("->")) {
            return true;
        }
        int end = before.length();
        while (end > 0 && Text.isSpace(before.charAt(end - 1))) {
            end--;
        }
        int start = end;
        while (start > 0 && Text.isAlpha(before.charAt(start - 1))) {
            start--;
        }
        return end < before.length()
                && DECLARATIONS.contains(before.substring(start, end).toLowerCase(Locale.ROOT));
    }

    /** In a settings file the value goes on past a space when what follows is no word. */
    private int continued(int nameStart, int end) {
        if (!startsLine(nameStart)) {
            return end;
        }
        int last = end;
        for (int words = 0; words < 8; words++) {
            int next = Text.skipSpaces(text, last);
            int stop = Unquoted.end(text, next, next + SecretValues.LOOK);
            String word = text.substring(next, stop);
            boolean goesOn =
                    next > last
                            && !word.isEmpty()
                            && word.chars().anyMatch(c -> Text.isDigit((char) c))
                            && word.chars().noneMatch(c -> c == '=' || c == ':' || c == '/')
                            && !word.startsWith("-")
                            && !word.startsWith("#");
            if (!goesOn) {
                return last;
            }
            last = stop;
        }
        return last;
    }

    private boolean startsLine(int nameStart) {
        int i = nameStart;
        while (i > 0 && i > nameStart - 40 && Text.isSpace(text.charAt(i - 1))) {
            i--;
        }
        boolean exported = i >= 6 && text.startsWith("export", i - 6);
        i = exported ? i - 6 : i;
        return i == 0 || text.charAt(i - 1) == '\n';
    }

    private int redact(int start, int end) {
        int stop = Unquoted.wholeEnd(text, start, end);
        spans.add(start, stop);
        return stop;
    }
}
