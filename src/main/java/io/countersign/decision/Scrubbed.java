package io.countersign.decision;

import io.countersign.scrub.Scrubber;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Documents of others, as they may be stored: every text in them scrubbed. */
final class Scrubbed {
    private Scrubbed() {}

    static JsonNode copy(JsonNode document) {
        if (document.isString()) {
            return JsonNodeFactory.instance.stringNode(Scrubber.scrub(document.stringValue()));
        }
        if (document.isArray()) {
            ArrayNode copy = JsonNodeFactory.instance.arrayNode(document.size());
            document.forEach(item -> copy.add(copy(item)));
            return copy;
        }
        if (document.isObject()) {
            ObjectNode copy = JsonNodeFactory.instance.objectNode();
            document.properties()
                    .forEach(m -> copy.set(Scrubber.scrub(m.getKey()), copy(m.getValue())));
            return copy;
        }
        return document;
    }
}
