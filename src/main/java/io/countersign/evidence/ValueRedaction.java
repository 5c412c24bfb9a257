package io.countersign.evidence;

import io.countersign.scrub.Scrubber;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Redacts the JSON values of one document: their texts, and what stands beside a name that says it
 * is secret.
 */
final class ValueRedaction {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final int LONGEST_OPTION = 256;

    /** A value that any name which says "secret" gets redacted. */
    private static final JsonNode SAMPLE = StringNode.valueOf("qR7" + "xW2mLp9Zt4Kd8Vb3Nc6");

    /** Past so many values beside secret names they are redacted unseen, to bound the work. */
    private static final int MAX_PROBES = 1_000;

    private final Map<String, Boolean> secretNames = new HashMap<>();
    private int probes;

    JsonNode redact(JsonNode value) {
        return redact(null, value);
    }

    /**
     * @param name the member that the value stands in, or that the list stands in; null for none
     */
    private JsonNode redact(@Nullable String name, JsonNode value) {
        return switch (value) {
            case ObjectNode object -> object(object);
            case ArrayNode array -> array(name, array);
            default -> scalar(name, value);
        };
    }

    private JsonNode scalar(@Nullable String name, JsonNode value) {
        JsonNode safe =
                value.isString() ? StringNode.valueOf(Scrubber.scrub(value.stringValue())) : value;
        if (name == null || !value.isString() && !value.isNumber()) return safe;
        return isSecretBeside(name, safe) ? marker() : safe;
    }

    /** Whether it is the name that makes the value a secret: with another name it is none. */
    private boolean isSecretBeside(String name, JsonNode value) {
        if (!secretNames.computeIfAbsent(name, n -> isChanged(n, SAMPLE))) return false;
        if (probes++ >= MAX_PROBES) return true;
        return isChanged(name, value) && !isChanged("x", value);
    }

    private static boolean isChanged(String name, JsonNode value) {
        String text = NODES.objectNode().set(name, value).toString();
        return !Scrubber.scrub(text).equals(text);
    }

    private JsonNode array(@Nullable String name, ArrayNode array) {
        ArrayNode safe = NODES.arrayNode(array.size());
        for (JsonNode element : array) {
            JsonNode redacted = redact(name, element);
            boolean value = !safe.isEmpty() && isValueOf(safe.get(safe.size() - 1), redacted);
            safe.add(value ? marker() : redacted);
        }
        return safe;
    }

    /** Whether two words of a command line are an option and its secret. */
    private static boolean isValueOf(JsonNode option, JsonNode value) {
        if (!option.isString() || !value.isString()) return false;
        String word = option.stringValue();
        if (!word.startsWith("-") || word.length() > LONGEST_OPTION) return false;
        String line = word + " " + value.stringValue();
        return !Scrubber.scrub(line).equals(line);
    }

    private JsonNode object(ObjectNode object) {
        Labels names = new Labels(object.propertyNames());
        @Nullable String header = header(object);
        ObjectNode safe = NODES.objectNode();
        object.properties()
                .forEach(
                        member -> {
                            String name = member.getKey();
                            boolean value = header != null && name.equals("value");
                            safe.set(
                                    names.of(name),
                                    redact(value ? header : name, member.getValue()));
                        });
        return safe;
    }

    /** The name in an object that spells a pair out as {@code name} or {@code key} and value. */
    private static @Nullable String header(ObjectNode object) {
        if (!object.has("value")) return null;
        for (String member : List.of("name", "key")) {
            if (object.path(member).isString()) return object.get(member).stringValue();
        }
        return null;
    }

    private static JsonNode marker() {
        return StringNode.valueOf(Scrubber.MARKER);
    }
}
