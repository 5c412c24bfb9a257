package io.countersign.evidence;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Redacts every dynamic value of a valid document: observed values, ids, reasons and codes. The
 * document stays valid and its accounting the same, so that it can be read back from the store.
 */
final class Redaction {
    /** What one observed value may weigh once it is redacted, in bytes of JSON. */
    static final int MAX_VALUE_BYTES = 64 * 1024;

    private static final String TOO_LARGE = "value_too_large";

    private static final List<String> COVERAGE_STATES =
            List.of(
                    "observation_closed",
                    "starts",
                    "terminals",
                    "missing_terminals",
                    "observer_failures",
                    "callback_failures");

    private final Labels ids;
    private final ValueRedaction values = new ValueRedaction();

    private Redaction(Labels ids) {
        this.ids = ids;
    }

    /** A redacted copy of a document whose shape is right. */
    static JsonNode redact(JsonNode document) {
        JsonNode copy = document.deepCopy();
        JsonNode observations = copy.get("observations");
        List<String> names = new ArrayList<>();
        observations.forEach(o -> names.add(o.get("invocation_id").stringValue()));
        Redaction redaction = new Redaction(new Labels(names));
        observations.forEach(o -> redaction.redactObservation((ObjectNode) o));
        redactCoverage((ObjectNode) copy.get("coverage"));
        return copy;
    }

    private void redactObservation(ObjectNode observation) {
        observation.put("invocation_id", ids.of(observation.get("invocation_id").stringValue()));
        for (String name : ObservationReader.STATES) {
            ObjectNode state = (ObjectNode) observation.get(name);
            redactReason(state);
            if (!state.has("value") || name.equals("terminal_sequence")) continue;
            JsonNode value = state.get("value");
            JsonNode safe = name.equals("parent") ? parent(value) : values.redact(value);
            if (isTooLarge(safe)) {
                state.removeAll();
                state.put("state", "redacted").put("reason", TOO_LARGE);
            } else {
                state.set("value", safe);
            }
        }
    }

    private static boolean isTooLarge(JsonNode value) {
        return value.toString().getBytes(StandardCharsets.UTF_8).length > MAX_VALUE_BYTES;
    }

    private JsonNode parent(JsonNode parent) {
        if (parent.isNull()) return parent;
        ObjectNode safe = (ObjectNode) parent;
        String id = safe.get("id").stringValue();
        boolean invocation = safe.get("kind").stringValue().equals("invocation");
        return safe.put("id", invocation ? ids.of(id) : Labels.label(id));
    }

    private static void redactCoverage(ObjectNode coverage) {
        redactStates(coverage);
        redactCodes((ArrayNode) coverage.get("losses"));
        redactCodes((ArrayNode) coverage.get("unsupported"));
        for (Boundary boundary : Boundary.values()) {
            ObjectNode report = (ObjectNode) coverage.get("boundaries").get(boundary.wire());
            redactStates(report);
            redactCodes((ArrayNode) report.get("issues"));
        }
    }

    private static void redactStates(ObjectNode node) {
        for (String name : COVERAGE_STATES) {
            if (node.get(name) instanceof ObjectNode state) redactReason(state);
        }
    }

    private static void redactReason(ObjectNode state) {
        if (state.has("reason")) {
            state.put("reason", Labels.label(state.get("reason").stringValue()));
        }
    }

    private static void redactCodes(ArrayNode codes) {
        List<String> names = new ArrayList<>();
        codes.forEach(code -> names.add(code.stringValue()));
        Labels labels = new Labels(names);
        for (int i = 0; i < names.size(); i++) {
            codes.set(i, StringNode.valueOf(labels.of(names.get(i))));
        }
    }
}
