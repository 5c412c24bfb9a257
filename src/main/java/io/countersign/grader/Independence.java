package io.countersign.grader;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

import java.util.Locale;

/** How far a grader must stand from the producer. Each demands the ones before it too. */
public enum Independence {
    /** A fresh exchange with a grader id of its own. */
    SESSION,
    /** Another model than the producer declared; none declared is a refusal. */
    MODEL,
    /** Another provider and another model family than the producer declared. */
    PROVIDER;

    /** The policy as it stands in JSON and configuration. */
    @JsonValue
    public String wire() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Reads a policy that somebody wrote, in any letter case.
     *
     * @throws IllegalArgumentException when there is no such policy
     */
    @JsonCreator
    public static Independence parse(String text) {
        for (Independence value : values()) {
            if (value.wire().equals(text.strip().toLowerCase(Locale.ROOT))) return value;
        }
        throw new IllegalArgumentException("independence is session, model or provider");
    }
}
