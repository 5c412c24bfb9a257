package io.countersign.receipt;

import io.countersign.gate.Assurance;
import io.countersign.kernel.ProjectId;
import io.countersign.kernel.Sha256;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.UUID;

/**
 * A stored receipt.
 *
 * @param document its canonical JSON without the signature
 * @param files of the change-set as JSON, path to digest or null
 * @param consumed null while it is not
 */
record ReceiptRow(
        UUID id,
        ProjectId project,
        @Nullable UUID verificationId,
        @Nullable UUID decisionId,
        @Nullable UUID attestationId,
        String nonce,
        Sha256 changeSet,
        @Nullable Sha256 tree,
        @Nullable Sha256 dod,
        Assurance assurance,
        Assurance minAssurance,
        Instant issuedAt,
        Instant expiresAt,
        String document,
        String keyId,
        byte[] signature,
        String files,
        @Nullable Consumption consumed) {

    /** Who spent it, when, and for what. */
    record Consumption(Instant at, String by, @Nullable String purpose) {}
}
