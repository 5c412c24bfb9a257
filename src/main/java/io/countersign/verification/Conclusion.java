package io.countersign.verification;

import io.countersign.artefact.ChangeSet;
import io.countersign.check.CheckResult;
import io.countersign.dod.Dod;
import io.countersign.gate.Verdict;
import io.countersign.kernel.Sha256;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.List;

/**
 * Everything that the final transaction stores.
 *
 * @param checksStored whether the checks' results were stored before
 * @param cancelled whether it ends as cancelled
 */
record Conclusion(
        Verdict verdict,
        Dod dod,
        @Nullable Dod baseline,
        String dodJson,
        @Nullable String baselineJson,
        @Nullable Sha256 dodSha256,
        ChangeSet changeSet,
        @Nullable Sha256 treeSha256,
        List<CheckResult> checks,
        boolean checksStored,
        @Nullable String forcingNote,
        boolean cancelled,
        Instant at) {}
