package io.countersign.evidence;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Reads the small shapes that a document is made of. Whatever is not exactly right is a problem.
 */
final class ShapeReader {
    private final Problems problems;

    ShapeReader(Problems problems) {
        this.problems = problems;
    }

    /** Whether the node is an object of exactly these members. */
    boolean isObject(JsonNode node, String pointer, List<String> members) {
        if (!node.isObject()) {
            problems.add(pointer, "must be an object");
            return false;
        }
        Set<String> missing = new LinkedHashSet<>(members);
        missing.removeAll(node.propertyNames());
        missing.forEach(name -> problems.add(pointer, "has no member " + name));
        int unknown = node.size() - members.size() + missing.size();
        problems.require(
                unknown == 0,
                pointer,
                "has " + unknown + " members that do not exist, known are " + members);
        return missing.isEmpty() && unknown == 0;
    }

    <E extends Enum<E>> Optional<E> word(JsonNode node, String pointer, Class<E> words) {
        for (E word : words.getEnumConstants()) {
            boolean same =
                    node.isString()
                            && node.stringValue().equals(word.name().toLowerCase(Locale.ROOT));
            if (same) return Optional.of(word);
        }
        problems.add(
                pointer,
                "must be one of "
                        + List.of(words.getEnumConstants()).toString().toLowerCase(Locale.ROOT));
        return Optional.empty();
    }

    Optional<Boolean> flag(JsonNode node, String pointer) {
        if (node.isBoolean()) return Optional.of(node.booleanValue());
        problems.add(pointer, "must be true or false");
        return Optional.empty();
    }

    /** An integer from 0 of any size; {@code 1.0} is none. */
    Optional<BigInteger> natural(JsonNode node, String pointer) {
        if (node.isIntegralNumber() && node.bigIntegerValue().signum() >= 0) {
            return Optional.of(node.bigIntegerValue());
        }
        problems.add(pointer, "must be an integer from 0");
        return Optional.empty();
    }

    Optional<FieldState> state(JsonNode node, String pointer) {
        String state = node.path("state").stringValue("");
        return switch (state) {
            case "available" ->
                    isObject(node, pointer, List.of("state", "value"))
                            ? Optional.of(new FieldState.Available(node.get("value")))
                            : Optional.empty();
            case "redacted" -> reason(node, pointer).map(FieldState.Redacted::new);
            case "omitted" -> reason(node, pointer).map(FieldState.Omitted::new);
            case "unsupported" -> reason(node, pointer).map(FieldState.Unsupported::new);
            default -> {
                problems.add(
                        pointer,
                        "must have a state of available, redacted, omitted or unsupported");
                yield Optional.empty();
            }
        };
    }

    private Optional<String> reason(JsonNode node, String pointer) {
        if (!isObject(node, pointer, List.of("state", "reason"))) return Optional.empty();
        return label(node.get("reason"), pointer + "/reason");
    }

    /** Text in which something can be seen. */
    Optional<String> label(JsonNode node, String pointer) {
        if (node.isString() && !isBlank(node.stringValue())) {
            return Optional.of(node.stringValue());
        }
        problems.add(pointer, "must be text that is not blank");
        return Optional.empty();
    }

    Optional<Count> count(JsonNode node, String pointer) {
        return state(node, pointer)
                .flatMap(
                        state ->
                                switch (state) {
                                    case FieldState.Available available ->
                                            natural(available.value(), pointer + "/value")
                                                    .map(Count.Known::new);
                                    case FieldState.Omitted ignored ->
                                            Optional.of(new Count.Omitted());
                                    case FieldState.Unsupported ignored ->
                                            Optional.of(new Count.Unsupported());
                                    case FieldState.Redacted ignored -> {
                                        problems.add(pointer, "a count is never redacted");
                                        yield Optional.empty();
                                    }
                                });
    }

    /** A list of codes, each once. */
    Optional<List<String>> codes(JsonNode node, String pointer) {
        if (!node.isArray()) {
            problems.add(pointer, "must be a list of codes");
            return Optional.empty();
        }
        List<String> codes = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        boolean good = true;
        for (int i = 0; i < node.size(); i++) {
            @Nullable String code = label(node.get(i), pointer + "/" + i).orElse(null);
            if (code != null && !seen.add(code)) problems.add(pointer + "/" + i, "is given twice");
            good &= code != null;
            if (code != null) codes.add(code);
        }
        return good && seen.size() == codes.size() ? Optional.of(codes) : Optional.empty();
    }

    /** Unicode White_Space and format characters alone; Java's own blank misses U+00A0. */
    static boolean isBlank(String text) {
        return text.codePoints()
                .allMatch(
                        c ->
                                Character.isWhitespace(c)
                                        || Character.isSpaceChar(c)
                                        || c == 0x85
                                        || Character.getType(c) == Character.FORMAT);
    }
}
