package io.countersign.evidence;

import tools.jackson.databind.JsonNode;

/** One observed field: a value, or why there is none. */
public sealed interface FieldState {
    /** JSON null is a value. */
    record Available(JsonNode value) implements FieldState {}

    /** It existed and is withheld. */
    record Redacted(String reason) implements FieldState {}

    /** It was not recorded, or does not apply. */
    record Omitted(String reason) implements FieldState {}

    /** The host can never see it. */
    record Unsupported(String reason) implements FieldState {}

    /** Whether the text is the value. */
    default boolean is(String text) {
        return this instanceof Available available
                && available.value().isString()
                && available.value().stringValue().equals(text);
    }
}
