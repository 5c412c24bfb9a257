package io.countersign.check;

import org.jspecify.annotations.Nullable;

import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * Strict JSON: UTF-8 with or without a byte-order mark, one document, no key twice (readers
 * disagree on which of them counts), no NaN, and no number that would cost more than it is worth.
 */
final class JsonFile {
    /** Beyond any double; what is larger is an attack on whoever computes with it. */
    private static final int MAX_EXPONENT = 1_000;

    private static final JsonMapper MAPPER =
            JsonMapper.builder()
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
                    .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                    .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
                    .build();

    private JsonFile() {}

    /**
     * A document, or why it is none: a predicate such as {@code is not valid JSON (line 2 ...)}.
     */
    record Reading(@Nullable JsonNode document, String fault) {}

    static Reading read(byte[] bytes) {
        String text;
        try {
            text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        } catch (CharacterCodingException e) {
            return fault("is not UTF-8");
        }
        return read(text);
    }

    static Reading read(String text) {
        String json = text.startsWith("\uFEFF") ? text.substring(1) : text;
        if (json.isBlank()) return fault("is empty");
        try {
            JsonNode document = MAPPER.readTree(json);
            String number = tooLarge(document);
            return number == null
                    ? new Reading(document, "")
                    : fault("has a number that is out of any range: " + number);
        } catch (JacksonException e) {
            return fault("is not valid JSON" + place(e) + ": " + short_(e));
        }
    }

    private static Reading fault(String fault) {
        return new Reading(null, fault);
    }

    private static String place(JacksonException e) {
        TokenStreamLocation location = e.getLocation();
        return location == null || location.getLineNr() < 1
                ? ""
                : " (line " + location.getLineNr() + ", column " + location.getColumnNr() + ")";
    }

    private static String short_(JacksonException e) {
        String message = e.getOriginalMessage();
        if (message == null) return "it cannot be read";
        if (message.startsWith("Duplicate")) {
            int key = message.indexOf('"');
            return "duplicate key " + (key < 0 ? "" : message.substring(key));
        }
        int advice = message.indexOf(": enable ");
        return advice < 0 ? message : message.substring(0, advice);
    }

    private static @Nullable String tooLarge(JsonNode node) {
        if (node.isContainer()) {
            for (JsonNode child : node) {
                String found = tooLarge(child);
                if (found != null) return found;
            }
            return null;
        }
        boolean large =
                node.isBigDecimal() && Math.abs((long) node.decimalValue().scale()) > MAX_EXPONENT;
        return large ? node.decimalValue().toString() : null;
    }
}
