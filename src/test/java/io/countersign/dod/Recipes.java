package io.countersign.dod;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/** Reads the case files, whose long strings and lists are recipes. */
final class Recipes {
    private Recipes() {}

    static List<JsonNode> cases(String file) {
        try (InputStream in = Recipes.class.getResourceAsStream("/cases/" + file)) {
            List<JsonNode> cases = new ArrayList<>();
            JsonMapper.shared().readTree(in).forEach(cases::add);
            return cases;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The member, or what its {@code ...Parts} recipe makes. */
    static String text(JsonNode node, String member) {
        if (node.has(member)) return node.get(member).asString();
        StringBuilder text = new StringBuilder();
        for (JsonNode part : node.get(member + "Parts")) {
            text.append(
                    part.isString()
                            ? part.asString()
                            : part.get("repeat").asString().repeat(part.get("times").intValue()));
        }
        return text.toString();
    }

    /** The elements of a list in which {@code {"repeat", "times"}} stands for equal ones. */
    static List<JsonNode> list(JsonNode list) {
        List<JsonNode> all = new ArrayList<>();
        for (JsonNode element : list) {
            int times = element.has("times") ? element.get("times").intValue() : 1;
            JsonNode value = element.has("times") ? element.get("repeat") : element;
            for (int i = 0; i < times; i++) all.add(value);
        }
        return all;
    }
}
