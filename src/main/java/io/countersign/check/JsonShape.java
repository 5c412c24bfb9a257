package io.countersign.check;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Shape by example: every key of the example is there with the same JSON type, nested objects
 * likewise, arrays only as arrays.
 */
final class JsonShape {
    private final List<String> faults = new ArrayList<>();
    private final int limit;

    private JsonShape(int limit) {
        this.limit = limit;
    }

    /** What does not fit, each with its JSON pointer; at most {@code limit} of it. */
    static List<String> faults(JsonNode example, JsonNode actual, int limit) {
        var shape = new JsonShape(limit);
        shape.compare(example, actual, "");
        return shape.faults;
    }

    private void compare(JsonNode example, JsonNode actual, String pointer) {
        if (faults.size() >= limit) return;
        String wanted = type(example);
        String found = type(actual);
        if (!wanted.equals(found)) {
            faults.add(JsonPointers.shown(pointer) + " is " + found + ", not " + wanted);
            return;
        }
        if (!example.isObject()) return;
        for (Map.Entry<String, JsonNode> member : example.properties()) {
            String child = JsonPointers.child(pointer, member.getKey());
            JsonNode value = actual.get(member.getKey());
            if (value != null) compare(member.getValue(), value, child);
            else if (faults.size() < limit) faults.add(child + " is missing");
        }
    }

    private static String type(JsonNode node) {
        return switch (node.getNodeType()) {
            case OBJECT -> "an object";
            case ARRAY -> "an array";
            case STRING -> "a string";
            case NUMBER -> "a number";
            case BOOLEAN -> "a boolean";
            case NULL -> "null";
            case BINARY, MISSING, POJO -> "nothing";
        };
    }
}
