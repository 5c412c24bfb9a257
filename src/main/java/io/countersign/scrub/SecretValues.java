package io.countersign.scrub;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Whether the value beside a secret's name is a secret, or a reference, a type, a state or a
 * message. Values are looked at for a bounded length only.
 */
final class SecretValues {
    /** The most of a value that is looked at, in UTF-16 units. */
    static final int LOOK = 512;

    /**
     * Where a value stands.
     *
     * @param environment the name is in capitals and tied to the value with {@code =}
     * @param code the line is source code: a declaration, a member, or a terminated expression
     * @param prose more words follow
     */
    record Place(boolean environment, boolean code, boolean prose) {}

    private static final Pattern WHOLE_TEMPLATE =
            Pattern.compile(
                    "\\$[A-Za-z_][A-Za-z0-9_]*|%[A-Za-z_][A-Za-z0-9_]*%|%[sdvq]|%\\([A-Za-z_]+\\)s"
                            + "|\\{[A-Za-z0-9_.]*\\}|<[^<>]*>?|\\$\\(.*|@[A-Za-z_]+@|:[A-Za-z_]+"
                            + "|[*.xX\u2022#?]{3,}|\\?");
    private static final Pattern TEMPLATE_PART =
            Pattern.compile(
                    "\\$\\{\\{[^}]*(\\}\\})?|\\$\\{[^}]*\\}?|\\{\\{[^}]*(\\}\\})?|#\\{[^}]*\\}?"
                            + "|<%[^%]*(%>)?");
    private static final Pattern IDENTIFIER =
            Pattern.compile(
                    "[&*]?[A-Za-z_$][A-Za-z0-9_$]*((\\??\\.|::|->)[A-Za-z_$][A-Za-z0-9_$]*)*");
    private static final Pattern EXPRESSION =
            Pattern.compile(
                    "[!&*]?[A-Za-z_$][A-Za-z_0-9$]*((\\??\\.|::|->)[A-Za-z_$][A-Za-z0-9_$]*)*"
                            + "[(\\[<|?].*",
                    Pattern.DOTALL);
    private static final Pattern PATH =
            Pattern.compile(
                    "(/(run|etc|var|home|usr|opt|tmp|app|srv)/|\\.{1,2}/|~/|file:|classpath:).*");
    private static final Pattern WORDS = Pattern.compile("[^A-Za-z]+|(?<=[a-z])(?=[A-Z])");
    private static final Pattern YAML_TAG =
            Pattern.compile("!(Ref|Sub|GetAtt|secret|ENV|env_var).*");

    private static final Set<String> SOURCES =
            Set.of(
                    "process",
                    "config",
                    "cfg",
                    "conf",
                    "env",
                    "settings",
                    "os",
                    "self",
                    "this",
                    "request",
                    "req",
                    "args",
                    "opts",
                    "options",
                    "params",
                    "props",
                    "secrets",
                    "vars",
                    "var",
                    "data",
                    "local",
                    "import",
                    "context",
                    "ctx",
                    "input",
                    "body",
                    "form");

    private static final Set<String> LITERALS =
            Set.of(
                    "string",
                    "str",
                    "bool",
                    "boolean",
                    "number",
                    "int",
                    "integer",
                    "any",
                    "unknown",
                    "undefined",
                    "null",
                    "nil",
                    "none",
                    "true",
                    "false",
                    "char",
                    "byte",
                    "bytes",
                    "buffer",
                    "object",
                    "text",
                    "varchar",
                    "optional",
                    "required",
                    "missing",
                    "empty",
                    "invalid",
                    "valid",
                    "incorrect",
                    "expired",
                    "unset",
                    "yes",
                    "no",
                    "on",
                    "off",
                    "await",
                    "new",
                    "yield",
                    "return",
                    "typeof",
                    "async",
                    "function",
                    "lambda",
                    "not",
                    "void",
                    "never",
                    "redacted",
                    "hidden",
                    "masked",
                    "secure",
                    "write-only",
                    "n/a");

    private static final Set<String> SENSITIVE =
            Set.of(
                    "password",
                    "passwd",
                    "pwd",
                    "pw",
                    "pass",
                    "passphrase",
                    "secret",
                    "secrets",
                    "token",
                    "tokens",
                    "key",
                    "keys",
                    "credential",
                    "credentials",
                    "cred",
                    "creds",
                    "apikey");

    private static final Set<String> MODIFIERS =
            Set.of(
                    "new",
                    "old",
                    "current",
                    "confirm",
                    "confirmation",
                    "repeat",
                    "user",
                    "my",
                    "your",
                    "the",
                    "db",
                    "client",
                    "api",
                    "access",
                    "auth",
                    "refresh",
                    "id",
                    "session",
                    "bearer",
                    "csrf",
                    "hash",
                    "hashed",
                    "encoded",
                    "encrypted",
                    "raw",
                    "plain",
                    "input",
                    "field",
                    "value",
                    "name",
                    "private",
                    "public",
                    "string",
                    "reset",
                    "forgot",
                    "change",
                    "x",
                    "signing",
                    "encryption",
                    "master");

    private static final List<String> MESSAGE_WORDS =
            List.of(
                    "must",
                    "invalid",
                    "require",
                    "enter",
                    "password",
                    "token",
                    "secret",
                    "missing");

    private SecretValues() {}

    /** A value in quotes; {@code content} is what stands between them. */
    static boolean isSecretInQuotes(SecretNames.Kind kind, String content) {
        if (isHarmless(content) || isMessage(content)) {
            return false;
        }
        return kind == SecretNames.Kind.STRONG || isTokenLike(content, 6);
    }

    /** A value without quotes. */
    static boolean isSecret(SecretNames.Kind kind, String value, Place place) {
        if (isHarmless(value) || isStructure(value) || PATH.matcher(value).matches()) {
            return false;
        }
        if (!place.environment() && EXPRESSION.matcher(value).matches()) {
            return false;
        }
        if (IDENTIFIER.matcher(value).matches() && isReference(value, place)) {
            return false;
        }
        if (kind == SecretNames.Kind.STRONG) {
            return !(place.prose() && isLetters(value));
        }
        return isTokenLike(value, 8);
    }

    /** A placeholder that something else fills in. */
    static boolean isTemplate(String value) {
        if (WHOLE_TEMPLATE.matcher(value).matches()) {
            return true;
        }
        String rest = TEMPLATE_PART.matcher(value).replaceAll("");
        return !rest.equals(value) && !Text.looksRandom(rest, 0, rest.length());
    }

    private static boolean isHarmless(String value) {
        String word = value.toLowerCase(Locale.ROOT);
        return value.isBlank()
                || value.contains(Scrubber.MARKER)
                || value.length() <= 3 && value.chars().allMatch(c -> Text.isDigit((char) c))
                || value.chars().noneMatch(c -> c > 127 || Text.isAlnum((char) c))
                        && value.length() < 6
                || value.contains("://")
                || LITERALS.contains(word)
                || YAML_TAG.matcher(value).matches()
                || isTemplate(value)
                || isVocabulary(value);
    }

    private static boolean isStructure(String value) {
        char first = value.charAt(0);
        return first == '{' || first == '[' || first == '(' || first == '|' || first == '>';
    }

    private static boolean isReference(String value, Place place) {
        boolean digits = value.chars().anyMatch(c -> Text.isDigit((char) c));
        int dot = firstJoint(value);
        if (dot > 0) {
            String source = value.substring(0, dot).toLowerCase(Locale.ROOT);
            return SOURCES.contains(source) || !digits && !place.environment();
        }
        if (place.environment() || digits) {
            return false;
        }
        String[] words = WORDS.split(value);
        String first = words[0].toLowerCase(Locale.ROOT);
        String last = words[words.length - 1].toLowerCase(Locale.ROOT);
        return place.code()
                || words.length > 1 && (SENSITIVE.contains(first) || SENSITIVE.contains(last));
    }

    private static int firstJoint(String value) {
        for (int i = 1; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '.' || c == ':' || c == '-' || c == '?') {
                return i;
            }
        }
        return -1;
    }

    /** {@code newPassword}, {@code access_token}: the name of a field, not its value. */
    private static boolean isVocabulary(String value) {
        if (value.length() > 40 || value.indexOf(' ') >= 0) {
            return false;
        }
        boolean sensitive = false;
        for (String part : WORDS.split(value)) {
            String word = part.toLowerCase(Locale.ROOT);
            if (SENSITIVE.contains(word)) {
                sensitive = true;
            } else if (!word.isEmpty() && !MODIFIERS.contains(word)) {
                return false;
            }
        }
        return sensitive;
    }

    private static boolean isMessage(String content) {
        if (content.indexOf(' ') < 0) {
            return false;
        }
        String lower = content.toLowerCase(Locale.ROOT);
        return MESSAGE_WORDS.stream().anyMatch(lower::contains);
    }

    private static boolean isTokenLike(String value, int min) {
        return value.length() >= min
                && value.indexOf(' ') < 0
                && (Text.looksRandom(value, 0, value.length()) || value.length() >= 24);
    }

    private static boolean isLetters(String value) {
        return value.chars().allMatch(c -> Text.isAlpha((char) c));
    }
}
