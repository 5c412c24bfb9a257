package io.countersign.receipt;

import io.countersign.artefact.WorkspacePath;
import io.countersign.attestation.AttestationRef;
import io.countersign.attestation.Summary;
import io.countersign.gate.Assurance;
import io.countersign.kernel.ProjectId;
import io.countersign.kernel.Sha256;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Collections;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;

/**
 * What a receipt shall say.
 *
 * @param files of the change-set, empty where there is no file; not empty itself
 * @param treeSha256 null when nothing but the change-set was judged
 * @param dodSha256 null when it was not judged by a DoD
 * @param verdictSha256 digest of the verdict's canonical JSON
 * @param minAssurance the least that its consumption demands
 * @param window how long it is fresh
 * @param overridden whether it is owed to an administrator's word
 * @param attestation the signed summary of the same verdict
 */
public record Issue(
        ProjectId project,
        Summary.Origin origin,
        NavigableMap<WorkspacePath, Optional<Sha256>> files,
        Sha256 changeSetSha256,
        @Nullable Sha256 treeSha256,
        @Nullable Sha256 dodSha256,
        Sha256 verdictSha256,
        Assurance assurance,
        Assurance minAssurance,
        Duration window,
        boolean overridden,
        @Nullable AttestationRef attestation) {
    public Issue {
        files = Collections.unmodifiableNavigableMap(new TreeMap<>(files));
        if (files.isEmpty()) {
            throw new IllegalArgumentException("a receipt is for a change-set that is not empty");
        }
    }

    UUID originId() {
        return origin.value();
    }
}
