package io.countersign.grader;

import org.jspecify.annotations.Nullable;

import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * RFC 8259 and not a bit more: a key that stands twice, a comment, a trailing comma or a bare word
 * is no JSON, since parsers disagree on what they mean.
 */
final class StrictJson {
    private static final JsonMapper MAPPER =
            JsonMapper.builder(
                            JsonFactory.builder()
                                    .streamReadConstraints(
                                            StreamReadConstraints.builder()
                                                    .maxNestingDepth(JsonSpan.MAX_DEPTH)
                                                    .build())
                                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                                    .build())
                    .build();

    private final String text;
    private final JsonSpan span;

    StrictJson(String text) {
        this.text = text;
        this.span = new JsonSpan(text);
    }

    /**
     * An attempt at one value.
     *
     * @param value null when there is none
     * @param end where it ended, or where it stopped being JSON
     * @param cutOff whether the text ended before the value did
     */
    record Attempt(@Nullable JsonNode value, int end, boolean cutOff) {}

    /** Whether the text made so much vain work that no further value will be read. */
    boolean exhausted() {
        return span.exhausted();
    }

    /** Reads the one value that begins at {@code from}; what follows it does not matter. */
    Attempt valueAt(int from) {
        int end = span.end(from);
        if (end < 0) return new Attempt(null, span.stopped(), span.cutOff());
        try {
            return new Attempt(MAPPER.readTree(text.substring(from, end)), end, false);
        } catch (JacksonException e) {
            return new Attempt(null, end, false);
        }
    }
}
