package io.countersign.verification;

import io.countersign.artefact.ChangeSet;
import io.countersign.check.CheckResult;
import io.countersign.dod.Dod;
import io.countersign.gate.Verdict;
import io.countersign.gate.Wiring;
import io.countersign.kernel.ProjectId;
import io.countersign.kernel.Sha256;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.List;

/**
 * A verification got its verdict. Published inside the transaction that stores it: a listener
 * ({@code @EventListener}, in the order attestation, receipt, delegation) stores its own part with
 * the verdict or not at all.
 *
 * @param requestedBy the principal that asked for the verification
 * @param wiring authoritative when it may be a delegation's attempt
 * @param dod the request's own DoD
 * @param baseline the project's block that was ANDed in; null for none
 * @param dodSha256 digest of both; null when there was no DoD at all
 * @param treeSha256 hash of the whole verified workspace; null when there was none
 */
public record VerificationConcluded(
        VerificationId id,
        ProjectId project,
        String requestedBy,
        Wiring wiring,
        Producer producer,
        Dod dod,
        @Nullable Dod baseline,
        @Nullable Sha256 dodSha256,
        ChangeSet changeSet,
        @Nullable Sha256 treeSha256,
        List<CheckResult> checks,
        Verdict verdict,
        EffectivePolicy policy,
        Instant at) {
    public VerificationConcluded {
        checks = List.copyOf(checks);
    }
}
