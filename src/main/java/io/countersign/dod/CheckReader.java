package io.countersign.dod;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reads what follows {@code check:}. What cannot be read becomes a check that always fails. */
final class CheckReader {
    private static final List<String> KINDS =
            Arrays.stream(CheckKind.values()).map(CheckKind::spelling).toList();

    private final Line line;
    private final Diagnostics diagnostics;
    private Check.@Nullable Malformed malformed;

    private CheckReader(Line line, Diagnostics diagnostics) {
        this.line = line;
        this.diagnostics = diagnostics;
    }

    static Check read(Line line, int from, Diagnostics diagnostics) {
        return new CheckReader(line, diagnostics).read(line.skipSpaces(from));
    }

    private Check read(int kindAt) {
        int kindEnd = line.wordEnd(kindAt);
        String word = line.text().substring(kindAt, kindEnd);
        if (word.isEmpty()) {
            return error(
                    line.end(), "missing-check-kind", "no check kind follows", ", name one here");
        }
        @Nullable CheckKind kind = CheckKind.spelled(word);
        if (kind == null) {
            return error(
                    kindAt,
                    "unknown-check-kind",
                    "unknown check kind " + Text.quote(word),
                    meant(word, KINDS));
        }
        return switch (PairReader.read(line, kindEnd)) {
            case PairReader.Reading.Broken broken ->
                    error(broken.at(), broken.code(), broken.message(), "");
            case PairReader.Reading.Pairs pairs -> check(kind, pairs.pairs());
        };
    }

    private Check check(CheckKind kind, List<PairReader.Pair> pairs) {
        Map<String, String> values = new HashMap<>();
        Set<String> seen = new HashSet<>();
        for (PairReader.Pair pair : pairs) {
            if (seen.add(pair.key())) {
                checkPair(kind, pair, seen);
                values.put(pair.key(), pair.value());
            } else {
                error(
                        pair.keyAt(),
                        "duplicate-key",
                        "the key " + Text.quote(pair.key()) + " is given twice",
                        "");
            }
        }
        requireKeys(kind, seen);
        return malformed != null ? malformed : CheckFactory.make(kind, values, line.number());
    }

    private void checkPair(CheckKind kind, PairReader.Pair pair, Set<String> seen) {
        String key = pair.key();
        String value = pair.value();
        if (!kind.keys().contains(key)) {
            error(
                    pair.keyAt(),
                    "unknown-key",
                    "unknown key " + Text.quote(key) + " for " + kind.spelling(),
                    meant(key, kind.keys()));
            return;
        }
        if (kind == CheckKind.FILE_CONTAINS && seen.contains("text") && seen.contains("matches")) {
            if (key.equals("text") || key.equals("matches")) {
                error(
                        pair.keyAt(),
                        "conflicting-keys",
                        "fileContains takes text or matches, not both",
                        "");
            }
        }
        checkValue(pair, key, value);
    }

    private void checkValue(PairReader.Pair pair, String key, String value) {
        if (Text.isUnstorable(value)) {
            error(
                    pair.valueAt(),
                    "invalid-character",
                    "the value of " + key + " holds NUL or half a surrogate pair",
                    "");
        } else if (Text.isBlank(value)) {
            error(pair.valueAt(), "empty-value", "the value of " + key + " is empty", "");
        } else {
            @Nullable String expected = Values.fault(key, value);
            if (expected != null) {
                error(
                        pair.valueAt(),
                        "invalid-value",
                        key + " takes " + expected + ", the value " + Text.quote(value) + " is not",
                        "");
            }
        }
    }

    private void requireKeys(CheckKind kind, Set<String> seen) {
        for (String key : kind.required()) {
            if (!seen.contains(key)) missing(kind, key);
        }
        boolean neither = !seen.contains("text") && !seen.contains("matches");
        if (kind == CheckKind.FILE_CONTAINS && neither) missing(kind, "text or matches");
    }

    private void missing(CheckKind kind, String key) {
        error(line.end(), "missing-key", kind.spelling() + " needs the key " + key, "");
    }

    private static String meant(String word, List<String> known) {
        @Nullable String suggestion = Misspelling.suggestion(word, known);
        if (suggestion != null) return ", did you mean \"" + suggestion + "\"?";
        return known.isEmpty() ? "" : ", known are " + String.join(", ", known);
    }

    /** Notes an error; the check's own code and reason are those of the first one of its line. */
    private Check.Malformed error(int at, String code, String what, String advice) {
        String message = what + " (line " + line.number() + ")" + advice;
        diagnostics.error(line, at, code, message);
        if (malformed == null) malformed = new Check.Malformed(code, message, line.number());
        return malformed;
    }
}
