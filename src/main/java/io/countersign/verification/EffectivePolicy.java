package io.countersign.verification;

import io.countersign.check.CheckPolicy;
import io.countersign.gate.Assurance;
import io.countersign.gate.GatePolicy;
import io.countersign.gate.Require;
import io.countersign.grader.GraderPolicy;

import org.jspecify.annotations.Nullable;

import java.time.Duration;

/**
 * The policy of one verification: server, then project, then request (which only lowers ceilings),
 * frozen at submission with its digest. It holds no secret.
 *
 * @param gateBudget time for checks and grading together, waiting for a slot not counted
 * @param setup the project's setup step; null for none
 * @param baseline the project's own block; null for none
 * @param receipts how long receipts last and what they must be worth
 * @param keepOutput how long captured output is kept
 */
public record EffectivePolicy(
        Require require,
        boolean preferDeterministic,
        boolean requireExplicitDod,
        Duration gateBudget,
        CheckPolicy checks,
        GraderPolicy grader,
        @Nullable Setup setup,
        @Nullable String baseline,
        Receipts receipts,
        Duration keepOutput) {
    /** The step that prepares a fresh workspace, once, before the first check. */
    public record Setup(String command, Duration timeout) {}

    /**
     * @param window how long a receipt is fresh
     * @param minAssurance the least that a consumption demands
     */
    public record Receipts(Duration window, Assurance minAssurance) {}

    GatePolicy gate(boolean acceptNoChanges) {
        return new GatePolicy(
                require, preferDeterministic, requireExplicitDod, acceptNoChanges, baseline);
    }
}
