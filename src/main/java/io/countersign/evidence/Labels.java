package io.countersign.evidence;

import io.countersign.scrub.Scrubber;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Redacts names that must stay distinct (ids, codes): one that redaction changes is replaced whole,
 * by a marker with a number, so that two secrets never become one name.
 */
final class Labels {
    private final Map<String, String> redacted = new HashMap<>();
    private final Set<String> used = new HashSet<>();
    private int placeholders;

    Labels(Collection<String> names) {
        for (String name : names) {
            if (Scrubber.scrub(name).equals(name)) {
                redacted.put(name, name);
                used.add(name);
            }
        }
        for (String name : names) redacted.computeIfAbsent(name, ignored -> placeholder());
    }

    private String placeholder() {
        while (true) {
            String suffix = placeholders == 0 ? "" : "#" + placeholders;
            placeholders++;
            if (used.add(Scrubber.MARKER + suffix)) return Scrubber.MARKER + suffix;
        }
    }

    /** The name as it may be stored; one that is not among the names is redacted by itself. */
    String of(String name) {
        String known = redacted.get(name);
        return known == null ? label(name) : known;
    }

    /** Text that has to stay visible after redaction. */
    static String label(String text) {
        String scrubbed = Scrubber.scrub(text);
        return ShapeReader.isBlank(scrubbed) ? Scrubber.MARKER : scrubbed;
    }
}
