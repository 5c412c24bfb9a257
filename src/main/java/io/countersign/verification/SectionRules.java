package io.countersign.verification;

import io.countersign.kernel.PolicySection;
import io.countersign.kernel.ProblemException.FieldError;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * The members of one section of a project's policy document, each with its rule; an unknown member
 * is a fault, so that a misspelled one never passes for a set one. Null unsets a member.
 */
final class SectionRules implements PolicySection {
    private final String name;
    private final Map<String, Function<JsonNode, @Nullable String>> rules = new LinkedHashMap<>();
    private final List<String> writeOnly = new ArrayList<>();

    SectionRules(String name) {
        this.name = name;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public List<String> writeOnly() {
        return List.copyOf(writeOnly);
    }

    /** Adds a member whose rule answers what is wrong; null when nothing is. */
    SectionRules member(String member, Function<JsonNode, @Nullable String> rule) {
        rules.put(member, rule);
        return this;
    }

    SectionRules flag(String member) {
        return member(member, value -> value.isBoolean() ? null : "is true or false");
    }

    SectionRules text(String member) {
        return member(member, value -> value.isString() ? null : "is a text");
    }

    /** A text that is never shown again: at least 16 characters. */
    SectionRules secret(String member) {
        writeOnly.add("/" + member);
        return member(
                member,
                value ->
                        value.isString() && value.asString().strip().length() >= 16
                                ? null
                                : "is a text of at least 16 characters");
    }

    /** A ceiling in milliseconds: positive, at most {@code max}. */
    SectionRules millis(String member, long max) {
        return member(
                member,
                value ->
                        value.isIntegralNumber()
                                        && value.canConvertToLong()
                                        && value.longValue() > 0
                                        && value.longValue() <= max
                                ? null
                                : "is a number of milliseconds from 1 to " + max);
    }

    SectionRules choice(String member, List<String> choices) {
        return member(
                member,
                value ->
                        value.isString() && choices.contains(value.asString())
                                ? null
                                : "is one of " + choices);
    }

    /** A list of texts, each with a rule of its own. */
    SectionRules texts(String member, Function<String, @Nullable String> rule) {
        return member(member, value -> faultOfList(value, rule));
    }

    private static @Nullable String faultOfList(
            JsonNode value, Function<String, @Nullable String> rule) {
        if (!value.isArray()) return "is a list of texts";
        for (JsonNode element : value) {
            String fault = element.isString() ? rule.apply(element.asString()) : "is no text";
            if (fault != null) return element + " " + fault;
        }
        return null;
    }

    @Override
    public List<FieldError> validate(JsonNode section) {
        if (!section.isObject()) return List.of(new FieldError("", "is an object"));
        List<FieldError> errors = new ArrayList<>();
        section.properties()
                .forEach(
                        member -> {
                            String fault = fault(member.getKey(), member.getValue());
                            if (fault != null) {
                                errors.add(new FieldError("/" + member.getKey(), fault));
                            }
                        });
        return errors;
    }

    private @Nullable String fault(String member, JsonNode value) {
        Function<JsonNode, @Nullable String> rule = rules.get(member);
        if (rule == null) return "does not exist; known are " + rules.keySet();
        return value.isNull() ? null : rule.apply(value);
    }
}
