package io.countersign.access;

import org.jspecify.annotations.Nullable;

import java.util.Collection;
import java.util.List;

/**
 * What a claim must say: one of some values. A value may end in {@code *}, which then stands for
 * any rest; the text before it must not be empty.
 *
 * @param claim the claim's name
 * @param values the values, at least one
 */
record ClaimCondition(String claim, List<String> values) {
    ClaimCondition {
        values = List.copyOf(values);
        if (values.isEmpty()) {
            throw new IllegalArgumentException("the claim " + claim + " has no value to match");
        }
        for (String value : values) {
            int star = value.indexOf('*');
            if (value.isBlank() || star == 0 || (star > 0 && star != value.length() - 1)) {
                throw new IllegalArgumentException(
                        "the claim "
                                + claim
                                + " wants '"
                                + value
                                + "': a value is a text, and * may only stand at its end");
            }
        }
    }

    /** Whether the claim, or one element of it when it is a list, is among the values. */
    boolean holds(@Nullable Object actual) {
        return switch (actual) {
            case null -> false;
            case Collection<?> many -> many.stream().anyMatch(this::holds);
            default -> values.stream().anyMatch(v -> matches(v, String.valueOf(actual)));
        };
    }

    static boolean matches(String value, String actual) {
        return value.endsWith("*")
                ? actual.startsWith(value.substring(0, value.length() - 1))
                : actual.equals(value);
    }

    /** Whether some text that begins with {@code prefix} can match. */
    static boolean reaches(String value, String prefix) {
        if (!value.endsWith("*")) {
            return value.startsWith(prefix);
        }
        String start = value.substring(0, value.length() - 1);
        return start.startsWith(prefix) || prefix.startsWith(start);
    }
}
