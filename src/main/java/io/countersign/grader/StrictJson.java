package io.countersign.grader;

import org.jspecify.annotations.Nullable;

import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.exc.UnexpectedEndOfInputException;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * RFC 8259 and not a bit more: a key that stands twice, a comment, a trailing comma or a bare word
 * is no JSON, since parsers disagree on what they mean.
 */
final class StrictJson {
    /** Far above the contract's three levels; it keeps hostile nesting cheap. */
    private static final int MAX_DEPTH = 64;

    private static final JsonMapper MAPPER =
            JsonMapper.builder(
                            JsonFactory.builder()
                                    .streamReadConstraints(
                                            StreamReadConstraints.builder()
                                                    .maxNestingDepth(MAX_DEPTH)
                                                    .build())
                                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                                    .build())
                    .disable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                    .build();

    private final char[] text;

    StrictJson(String text) {
        this.text = text.toCharArray();
    }

    /**
     * An attempt at one value.
     *
     * @param value null when there is none
     * @param end where it ended, or where it stopped being JSON
     * @param cutOff whether the text ended before the value did
     */
    record Attempt(@Nullable JsonNode value, int end, boolean cutOff) {}

    /** Reads the one value that begins at {@code from}; what follows it does not matter. */
    Attempt valueAt(int from) {
        try (JsonParser parser = MAPPER.createParser(text, from, text.length - from)) {
            return read(parser, from);
        }
    }

    private static Attempt read(JsonParser parser, int from) {
        try {
            JsonNode value = MAPPER.readTree(parser);
            return new Attempt(value, end(parser, from), false);
        } catch (UnexpectedEndOfInputException e) {
            return new Attempt(null, end(parser, from), true);
        } catch (JacksonException e) {
            return new Attempt(null, end(parser, from), false);
        }
    }

    private static int end(JsonParser parser, int from) {
        long offset = parser.currentLocation().getCharOffset();
        return from + (int) Math.max(offset, 0);
    }
}
