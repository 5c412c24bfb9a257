package io.countersign.delegation;

import io.countersign.check.CheckResult;
import io.countersign.delegation.DelegationStore.AttemptRow;
import io.countersign.delegation.DelegationStore.DelegationRow;
import io.countersign.gate.Verdict;
import io.countersign.gate.Wiring;
import io.countersign.kernel.Cause;
import io.countersign.verification.VerificationConcluded;

import org.springframework.context.event.EventListener;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;

/**
 * Takes the ladder's step inside the transaction that concludes an attempt's verification: a
 * verdict and what follows from it are stored together or not at all.
 */
@Component
class AttemptListener {
    /** After attestation and receipt. */
    private static final int ORDER = 300;

    private static final String NO_CHANGES = "no_changes";

    private final DelegationStore store;

    AttemptListener(DelegationStore store) {
        this.store = store;
    }

    @EventListener
    @Order(ORDER)
    void concluded(VerificationConcluded event) {
        if (event.wiring() == Wiring.AUTHORITATIVE) {
            store.attemptOf(event.id()).ifPresent(attempt -> step(event, attempt));
        }
    }

    private void step(VerificationConcluded event, AttemptRow attempt) {
        DelegationRow delegation = store.lock(attempt.delegationId()).orElseThrow();
        Verdict verdict = event.verdict();
        Ladder.Step step =
                Ladder.step(
                        delegation.terms().escalation(),
                        delegation.ladder(),
                        new Ladder.Attempt(
                                verdict.accepted(),
                                verdict.cause() == Cause.INFRASTRUCTURE,
                                attempt.cost()));
        LadderAction action = step.action();
        store.concludeAttempt(
                attempt,
                action,
                ForcingMessage.of(action, verdict, event.checks()).orElse(null),
                (int) event.checks().stream().filter(CheckResult::passed).count(),
                event.at());
        store.step(
                delegation.id(), step.state(), action.tier(), event.at().plus(delegation.idle()));
        switch (action) {
            case LadderAction.Accept accept ->
                    store.close(
                            delegation.id(),
                            DelegationState.ACCEPTED,
                            terminalReason(verdict),
                            event.at());
            case LadderAction.GiveUp giveUp ->
                    store.close(delegation.id(), DelegationState.UNMET, "unmet", event.at());
            case LadderAction.Retry retry -> {}
            case LadderAction.Escalate escalate -> {}
        }
    }

    /** A skip that is no {@code no_changes} is accepted, but nobody may read it as verified. */
    private static String terminalReason(Verdict verdict) {
        if (verdict.pass()) return "verified";
        return verdict.reasons().contains(NO_CHANGES) ? NO_CHANGES : "skipped";
    }
}
