package io.countersign.grader;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Keys that carry what the drafter meant rather than what it made. A judge that reads them grades
 * the story, so they never enter a bundle.
 */
public final class IntentKeys {
    private static final Set<String> KEYS =
            Set.of(
                    "intent",
                    "answerkey",
                    "selfassessment",
                    "spec",
                    "transcript",
                    "rationale",
                    "expected",
                    "drafternotes");

    private IntentKeys() {}

    /** Whether a key is one of them, compared without case and separators. */
    public static boolean bears(String key) {
        StringBuilder letters = new StringBuilder();
        key.codePoints().filter(Character::isLetterOrDigit).forEach(letters::appendCodePoint);
        return KEYS.contains(letters.toString().toLowerCase(Locale.ROOT));
    }

    /** JSON pointers (RFC 6901) of every such key of the value, at any depth, in its order. */
    public static List<String> in(JsonNode value) {
        List<String> found = new ArrayList<>();
        collect(value, "", found);
        return List.copyOf(found);
    }

    private static void collect(JsonNode value, String pointer, List<String> found) {
        if (value.isObject()) {
            value.properties()
                    .forEach(
                            member -> {
                                String key = member.getKey().replace("~", "~0").replace("/", "~1");
                                String at = pointer + "/" + key;
                                if (bears(member.getKey())) found.add(at);
                                collect(member.getValue(), at, found);
                            });
        } else if (value.isArray()) {
            for (int i = 0; i < value.size(); i++) collect(value.get(i), pointer + "/" + i, found);
        }
    }
}
