package io.countersign.grader;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.stream.Stream;

/** The case files, and the recipes in them for long strings. */
final class Cases {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private Cases() {}

    static Stream<JsonNode> of(String file) {
        try (InputStream in = Cases.class.getResourceAsStream("/cases/" + file)) {
            return JSON.readTree(Objects.requireNonNull(in, file)).valueStream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The plain member, or its parts joined. */
    static String text(JsonNode item, String member) {
        if (item.has(member)) return item.get(member).stringValue();
        StringBuilder text = new StringBuilder();
        for (JsonNode part : item.get(member + "Parts")) {
            if (part.isString()) text.append(part.stringValue());
            else text.repeat(part.get("repeat").stringValue(), part.get("times").intValue());
        }
        return text.toString();
    }
}
