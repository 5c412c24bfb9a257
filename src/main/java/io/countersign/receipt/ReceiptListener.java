package io.countersign.receipt;

import io.countersign.artefact.ChangeSet;
import io.countersign.artefact.ChangedFile;
import io.countersign.artefact.WorkspacePath;
import io.countersign.attestation.Attestations;
import io.countersign.attestation.Summary;
import io.countersign.kernel.CanonicalJson;
import io.countersign.kernel.Sha256;
import io.countersign.verification.EffectivePolicy;
import io.countersign.verification.VerificationConcluded;

import org.springframework.context.event.EventListener;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;

import tools.jackson.databind.json.JsonMapper;

import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/** Issues a receipt for each pass, in the transaction that stores it. After the attestation. */
@Component
class ReceiptListener {
    static final int ORDER = 2;

    private final Receipts receipts;
    private final Attestations attestations;
    private final JsonMapper json;

    ReceiptListener(Receipts receipts, Attestations attestations, JsonMapper json) {
        this.receipts = receipts;
        this.attestations = attestations;
        this.json = json;
    }

    /** Never for a skip, and never where nothing is known to have changed. */
    @EventListener
    @Order(ORDER)
    void on(VerificationConcluded concluded) {
        if (concluded.verdict().pass()
                && concluded.changeSet() instanceof ChangeSet.Known known
                && !known.knownEmpty()) {
            receipts.issue(issue(concluded, known));
        }
    }

    private Issue issue(VerificationConcluded concluded, ChangeSet.Known known) {
        EffectivePolicy.Receipts policy = concluded.policy().receipts();
        return new Issue(
                concluded.project(),
                new Summary.Origin.Verification(concluded.id()),
                files(known),
                known.sha256(),
                concluded.treeSha256(),
                concluded.dodSha256(),
                CanonicalJson.sha256(json.valueToTree(concluded.verdict())),
                concluded.verdict().assurance(),
                policy.minAssurance(),
                policy.window(),
                false,
                attestations.summaryOf(concluded.id()).orElse(null));
    }

    private static NavigableMap<WorkspacePath, Optional<Sha256>> files(ChangeSet.Known known) {
        NavigableMap<WorkspacePath, Optional<Sha256>> files = new TreeMap<>();
        for (ChangedFile file : known.files()) {
            files.put(new WorkspacePath(file.path()), Optional.ofNullable(file.sha256()));
            if (file.from() != null) {
                files.put(new WorkspacePath(file.from()), Optional.empty());
            }
        }
        return files;
    }
}
