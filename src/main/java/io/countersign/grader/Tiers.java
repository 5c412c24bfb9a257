package io.countersign.grader;

import org.springframework.boot.context.properties.bind.DefaultValue;

import java.util.List;

/**
 * Which models grade at which tier, tried in order.
 *
 * @param fast may be empty, as may the others: then the next tier above grades
 */
public record Tiers(
        @DefaultValue List<ModelChoice> fast,
        @DefaultValue List<ModelChoice> medium,
        @DefaultValue List<ModelChoice> heavy) {
    public static final Tiers NONE = new Tiers(List.of(), List.of(), List.of());

    public Tiers {
        fast = List.copyOf(fast);
        medium = List.copyOf(medium);
        heavy = List.copyOf(heavy);
    }

    public List<ModelChoice> of(Tier tier) {
        return switch (tier) {
            case FAST -> fast;
            case MEDIUM -> medium;
            case HEAVY -> heavy;
        };
    }
}
