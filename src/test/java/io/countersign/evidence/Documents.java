package io.countersign.evidence;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/** Documents for tests: the cases, and small ones made of tool calls. */
public final class Documents {
    private Documents() {}

    static List<JsonNode> cases(String file) {
        try (InputStream in = Documents.class.getResourceAsStream("/cases/" + file)) {
            List<JsonNode> cases = new ArrayList<>();
            JsonMapper.shared().readTree(in).forEach(cases::add);
            return cases;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The document of a case of {@code evidence.json}. */
    public static JsonNode document(String name) {
        return cases("evidence.json").stream()
                .filter(c -> c.get("name").asString().equals(name))
                .findFirst()
                .orElseThrow()
                .get("document");
    }

    /** The evidence of a document that must be valid. */
    public static ValidatedEvidence valid(JsonNode document) {
        return switch (EvidenceValidator.validate(document)) {
            case Validation.Valid valid -> valid.evidence();
            case Validation.Refused refused -> throw new AssertionError(refused);
        };
    }

    /** A complete document of native calls, each a tool and the JSON of its input. */
    public static ObjectNode calls(String... toolsAndInputs) {
        ObjectNode document = (ObjectNode) document("no-calls-closed").deepCopy();
        JsonNode call = document("native-success-false-result").at("/observations/0");
        int calls = toolsAndInputs.length / 2;
        for (int i = 0; i < calls; i++) {
            ObjectNode observation = (ObjectNode) call.deepCopy();
            observation.put("invocation_id", "call-" + i).put("start_sequence", 2 * i);
            value(observation, "terminal_sequence").put("value", 2 * i + 1);
            value(observation, "tool").put("value", toolsAndInputs[2 * i]);
            value(observation, "input")
                    .set("value", JsonMapper.shared().readTree(toolsAndInputs[2 * i + 1]));
            document.withArray("observations").add(observation);
        }
        for (String at : List.of("/coverage", "/coverage/boundaries/native")) {
            value(document.at(at), "starts").put("value", calls);
            value(document.at(at), "terminals").put("value", calls);
        }
        return document;
    }

    static ObjectNode value(JsonNode node, String name) {
        return (ObjectNode) node.get(name);
    }
}
