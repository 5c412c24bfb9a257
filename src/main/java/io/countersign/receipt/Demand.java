package io.countersign.receipt;

import io.countersign.artefact.WorkspacePath;
import io.countersign.gate.Assurance;
import io.countersign.kernel.Sha256;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.NavigableMap;
import java.util.Optional;

/**
 * What a consumer demands of a receipt.
 *
 * @param changeSet hash of the change-set that is to be merged
 * @param files its files, when they were sent: they explain a mismatch
 * @param treeSha256 of the whole workspace; null demands none
 * @param requiredDodSha256 null demands none
 * @param minAssurance on top of what the receipt's own policy demands; null demands no more
 * @param newestMtime when the newest file changed; null demands nothing
 */
public record Demand(
        Sha256 changeSet,
        @Nullable NavigableMap<WorkspacePath, Optional<Sha256>> files,
        @Nullable Sha256 treeSha256,
        @Nullable Sha256 requiredDodSha256,
        @Nullable Assurance minAssurance,
        @Nullable Instant newestMtime) {
    /** A receipt for the change-set that is worth so much, and nothing more. */
    public static Demand of(Sha256 changeSet, Assurance least) {
        return new Demand(changeSet, null, null, null, least, null);
    }
}
