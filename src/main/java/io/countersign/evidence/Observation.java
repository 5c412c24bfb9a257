package io.countersign.evidence;

import java.math.BigInteger;
import java.util.Locale;
import java.util.Map;

/**
 * One tool call that a host observed.
 *
 * @param invocationId unique in its document
 * @param boundary where it was observed: native, or code-mode execution
 * @param outcome how it ended
 * @param startSequence its place in the document's order, from 0
 * @param fields the fields that carry a state, by their JSON names, in the document's order
 */
public record Observation(
        String invocationId,
        Boundary boundary,
        Outcome outcome,
        BigInteger startSequence,
        Map<String, FieldState> fields) {
    /** How a call ended. */
    public enum Outcome {
        SUCCESS,
        ERROR,
        /** Its end was never seen. */
        MISSING;

        /** The outcome as it stands in JSON and in the DoD language. */
        public String wire() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * A field that carries a state.
     *
     * @param name one that every observation has, for example {@code tool}
     */
    public FieldState field(String name) {
        FieldState state = fields.get(name);
        if (state == null) throw new IllegalArgumentException("no such field: " + name);
        return state;
    }
}
