package io.countersign.grader.provider;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;

import org.jspecify.annotations.Nullable;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The grader's reply as JSON Schema, in the strict subset that both wire formats take. */
@JsonInclude(JsonInclude.Include.NON_NULL)
record ReplySchema(
        String type,
        @Nullable Map<String, ReplySchema> properties,
        @Nullable ReplySchema items,
        @Nullable List<String> required,
        @JsonProperty("additionalProperties") @Nullable Boolean additionalProperties) {

    static final ReplySchema VERDICT =
            object(
                    Map.entry("pass", of("boolean")),
                    Map.entry("reasons", list(of("string"))),
                    Map.entry(
                            "evidence",
                            list(
                                    object(
                                            Map.entry("criterion", of("integer")),
                                            Map.entry("ref", of("string")),
                                            Map.entry("quote", of("string"))))));

    private static ReplySchema of(String type) {
        return new ReplySchema(type, null, null, null, null);
    }

    private static ReplySchema list(ReplySchema items) {
        return new ReplySchema("array", null, items, null, null);
    }

    @SafeVarargs
    private static ReplySchema object(Map.Entry<String, ReplySchema>... members) {
        Map<String, ReplySchema> properties = new LinkedHashMap<>();
        for (Map.Entry<String, ReplySchema> member : members) {
            properties.put(member.getKey(), member.getValue());
        }
        return new ReplySchema("object", properties, null, List.copyOf(properties.keySet()), false);
    }
}
