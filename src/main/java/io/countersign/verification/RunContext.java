package io.countersign.verification;

import io.countersign.kernel.ProjectId;
import io.countersign.verification.VerificationStore.Claim;

/** One run of a verification: what was frozen, and where its events go. */
record RunContext(Claim claim, Submission submission, EffectivePolicy policy, Journal journal) {
    VerificationId id() {
        return claim.id();
    }

    ProjectId project() {
        return claim.project();
    }
}
