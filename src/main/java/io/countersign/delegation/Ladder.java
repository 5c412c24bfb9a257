package io.countersign.delegation;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;

/**
 * The escalation ladder (see {@code docs/delegations.md}): one attempt in, one action out. Pure. It
 * ends for every policy, because each two steps count at least one attempt.
 */
final class Ladder {
    private Ladder() {}

    /**
     * One attempt that was judged.
     *
     * @param accepted passed, or skipped by policy
     * @param infrastructure it failed by no fault of the producer
     * @param cost null takes the tier's
     */
    record Attempt(boolean accepted, boolean infrastructure, @Nullable BigDecimal cost) {
        Attempt {
            if (cost != null) {
                Costs.demand(cost);
            }
        }
    }

    /** The action, and where the delegation stands after it. */
    record Step(LadderState state, LadderAction action) {}

    static Step step(EscalationPolicy policy, LadderState before, Attempt attempt) {
        if (attempt.infrastructure() && !attempt.accepted() && !before.forgiven()) {
            return new Step(before.forgivenOnce(), new LadderAction.Retry(tier(policy, before)));
        }
        BigDecimal cost = attempt.cost() == null ? policy.costAt(before.tier()) : attempt.cost();
        LadderState state = before.counted(cost);
        if (attempt.accepted()) {
            return new Step(state, new LadderAction.Accept(tier(policy, state)));
        }
        String bound = boundReached(policy, state);
        if (bound != null) {
            return giveUp(policy, state, bound);
        }
        if (state.retries() < policy.maxAttemptsPerTier()) {
            return new Step(state.retried(), new LadderAction.Retry(tier(policy, state)));
        }
        if (state.tier() + 1 < policy.ladder().size()) {
            LadderState higher = state.escalated();
            return new Step(higher, new LadderAction.Escalate(tier(policy, higher)));
        }
        return giveUp(policy, state, "no higher tier (already at top of ladder)");
    }

    private static @Nullable String boundReached(EscalationPolicy policy, LadderState state) {
        if (state.attempts() >= policy.maxTotalAttempts()) {
            return "max total attempts (" + policy.maxTotalAttempts() + ") reached";
        }
        BigDecimal multiple = policy.costMultiple();
        BigDecimal first = state.firstCost();
        boolean over =
                multiple != null
                        && first != null
                        && state.cost().compareTo(first.multiply(multiple)) > 0;
        return over ? "cost ceiling exceeded" : null;
    }

    private static Step giveUp(EscalationPolicy policy, LadderState state, String reason) {
        return new Step(state, new LadderAction.GiveUp(tier(policy, state), reason));
    }

    private static String tier(EscalationPolicy policy, LadderState state) {
        return policy.ladder().get(state.tier());
    }
}
