package io.countersign.decision;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.text.Normalizer;
import java.util.Locale;
import java.util.Set;

/** What verdicts and attestations, which are open documents, have in common. */
final class Documents {
    private static final Set<String> SELF_ATTESTING =
            Set.of("attestation", "provenance", "anchorkind", "contextisolated");

    private Documents() {}

    /** The text of a member, or null when it is absent or no text. */
    static @Nullable String text(@Nullable JsonNode document, String name) {
        JsonNode value = document == null ? null : document.get(name);
        return value == null || !value.isString() ? null : value.stringValue();
    }

    /** Whether the member is absent or null. */
    static boolean isAbsent(@Nullable JsonNode document, String name) {
        JsonNode value = document == null ? null : document.get(name);
        return value == null || value.isNull();
    }

    /**
     * White space (Unicode White_Space, which {@link String#isBlank} does not cover) or format
     * characters alone.
     */
    static boolean isBlank(String text) {
        return text.codePoints().allMatch(c -> isWhiteSpace(c) || isFormat(c));
    }

    /**
     * Whether the text can be an id: not blank, NFC, without white space around it. A lone
     * surrogate could not be stored as it came.
     */
    static boolean isId(@Nullable String text) {
        return text != null
                && !isBlank(text)
                && Normalizer.isNormalized(text, Normalizer.Form.NFC)
                && text.codePoints().noneMatch(Documents::isSurrogate)
                && !isWhiteSpace(text.codePointAt(0))
                && !isWhiteSpace(text.codePointBefore(text.length()));
    }

    /** Whether a key by which a judge would attest itself occurs at any depth. */
    static boolean attestsItself(JsonNode value) {
        if (value.isObject()) {
            return value.properties().stream()
                    .anyMatch(m -> isSelfAttesting(m.getKey()) || attestsItself(m.getValue()));
        }
        return value.isArray() && value.valueStream().anyMatch(Documents::attestsItself);
    }

    private static boolean isSelfAttesting(String key) {
        StringBuilder letters = new StringBuilder();
        Normalizer.normalize(key, Normalizer.Form.NFKC)
                .codePoints()
                .filter(Character::isLetterOrDigit)
                .forEach(letters::appendCodePoint);
        return SELF_ATTESTING.contains(letters.toString().toLowerCase(Locale.ROOT));
    }

    private static boolean isWhiteSpace(int c) {
        return c >= 0x09 && c <= 0x0D || c == 0x85 || Character.isSpaceChar(c);
    }

    private static boolean isSurrogate(int c) {
        return Character.getType(c) == Character.SURROGATE;
    }

    private static boolean isFormat(int c) {
        return Character.getType(c) == Character.FORMAT;
    }
}
