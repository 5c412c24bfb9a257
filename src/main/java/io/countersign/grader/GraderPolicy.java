package io.countersign.grader;

import com.fasterxml.jackson.annotation.JsonFormat;

import org.jspecify.annotations.Nullable;

import java.time.Duration;

/**
 * How a verification's criteria are graded. Computed and frozen as JSON at submission; it never
 * holds a secret.
 *
 * @param minTier the lowest tier that may grade whatever the producer's is; null for none
 * @param temperature pinned for every call, 0 to 2
 * @param timeout of one turn with a model, positive; JSON has it as ISO-8601
 * @param independence how far the grader must stand from the producer
 * @param evidence whether a pass must quote what it rests on
 * @param tiers the models of each tier
 */
public record GraderPolicy(
        @Nullable Tier minTier,
        double temperature,
        @JsonFormat(shape = JsonFormat.Shape.STRING) Duration timeout,
        Independence independence,
        EvidenceRule evidence,
        Tiers tiers) {
    public GraderPolicy {
        if (!(temperature >= 0 && temperature <= 2)) {
            throw new IllegalArgumentException("temperature is 0 to 2");
        }
        if (!timeout.isPositive()) throw new IllegalArgumentException("timeout is positive");
    }

    /** The same policy with another limit for a turn. */
    public GraderPolicy withTimeout(Duration limit) {
        return new GraderPolicy(minTier, temperature, limit, independence, evidence, tiers);
    }
}
