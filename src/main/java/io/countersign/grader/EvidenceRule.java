package io.countersign.grader;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

import java.util.Locale;

/** Whether a pass must quote what it rests on. A quote that is given is always looked up. */
public enum EvidenceRule {
    OPTIONAL,
    /** A pass that leaves a criterion without a found quote fails. */
    REQUIRED;

    /** The rule as it stands in JSON and configuration. */
    @JsonValue
    public String wire() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Reads a rule that somebody wrote, in any letter case.
     *
     * @throws IllegalArgumentException when there is no such rule
     */
    @JsonCreator
    public static EvidenceRule parse(String text) {
        for (EvidenceRule value : values()) {
            if (value.wire().equals(text.strip().toLowerCase(Locale.ROOT))) return value;
        }
        throw new IllegalArgumentException("evidence is optional or required");
    }
}
