package io.countersign.grader;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The ladder of model strength, weakest first. A grader never stands below the producer. */
public enum Tier {
    FAST,
    MEDIUM,
    HEAVY;

    /** The tier as it stands in JSON, SQL and configuration. */
    @JsonValue
    public String wire() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Reads a tier that somebody wrote, in any letter case.
     *
     * @throws IllegalArgumentException when there is no such tier
     */
    @JsonCreator
    public static Tier parse(String text) {
        for (Tier tier : values()) {
            if (tier.wire().equals(text.strip().toLowerCase(Locale.ROOT))) return tier;
        }
        throw new IllegalArgumentException("a tier is fast, medium or heavy");
    }

    /**
     * The lowest tier that may grade: the producer's, raised to {@code minTier}. A producer whose
     * tier is unknown counts as the highest, since nobody may gain from not saying.
     */
    public static Tier required(@Nullable String producerTier, @Nullable Tier minTier) {
        Tier producer = known(producerTier);
        return minTier == null || producer.compareTo(minTier) >= 0 ? producer : minTier;
    }

    private static Tier known(@Nullable String tier) {
        if (tier == null) return HEAVY;
        try {
            return parse(tier);
        } catch (IllegalArgumentException e) {
            return HEAVY;
        }
    }

    /** This tier and those above it, lowest first. */
    public List<Tier> andAbove() {
        return Arrays.asList(values()).subList(ordinal(), values().length);
    }
}
