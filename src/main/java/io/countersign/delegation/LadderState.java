package io.countersign.delegation;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;

/**
 * Where a delegation stands on the ladder.
 *
 * @param tier index on the ladder
 * @param retries retries at this tier so far
 * @param attempts counted attempts in all
 * @param escalations how often the tier was raised
 * @param cost cumulative cost of the counted attempts
 * @param firstCost cost of the first counted attempt; null before it
 * @param forgiven whether the last attempt failed by no fault of the producer and was not counted
 */
public record LadderState(
        int tier,
        int retries,
        int attempts,
        int escalations,
        BigDecimal cost,
        @Nullable BigDecimal firstCost,
        boolean forgiven) {

    /** Before the first attempt. */
    static LadderState start(EscalationPolicy policy, @Nullable String producerTier) {
        return new LadderState(policy.start(producerTier), 0, 0, 0, BigDecimal.ZERO, null, false);
    }

    LadderState counted(BigDecimal attemptCost) {
        return new LadderState(
                tier,
                retries,
                attempts + 1,
                escalations,
                cost.add(attemptCost),
                firstCost == null ? attemptCost : firstCost,
                false);
    }

    LadderState forgivenOnce() {
        return new LadderState(tier, retries, attempts, escalations, cost, firstCost, true);
    }

    LadderState retried() {
        return new LadderState(tier, retries + 1, attempts, escalations, cost, firstCost, false);
    }

    LadderState escalated() {
        return new LadderState(tier + 1, 0, attempts, escalations + 1, cost, firstCost, false);
    }
}
