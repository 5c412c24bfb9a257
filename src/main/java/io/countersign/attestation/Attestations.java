package io.countersign.attestation;

import io.countersign.attestation.AttestationStore.Row;
import io.countersign.kernel.CanonicalJson;
import io.countersign.kernel.Ids;
import io.countersign.kernel.ProjectId;
import io.countersign.kernel.Sha256;
import io.countersign.verification.VerificationId;

import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

import tools.jackson.databind.node.ObjectNode;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.UUID;

/** Signs and keeps statements about verdicts. */
@Service
public class Attestations {
    private final AttestationStore store;
    private final Signer signer;
    private final SigningProperties properties;
    private final Ids ids;

    Attestations(AttestationStore store, Signer signer, SigningProperties properties, Ids ids) {
        this.store = store;
        this.signer = signer;
        this.properties = properties;
        this.ids = ids;
    }

    /**
     * Attests a verdict: its summary, and the result of its tests where any ran. Needs the
     * transaction that stores the verdict.
     *
     * @return the summary's reference
     */
    @Transactional(propagation = Propagation.MANDATORY)
    public AttestationRef attest(Summary summary) {
        Row row =
                sign(
                        summary,
                        Statements.VERIFICATION_SUMMARY,
                        Statements.verificationSummary(summary, properties.verifierId()));
        if (!summary.tests().isEmpty()) {
            sign(summary, Statements.TEST_RESULT, Statements.testResult(summary));
        }
        return row.ref();
    }

    /** The summary of a verification's verdict, if it was attested. */
    public Optional<AttestationRef> summaryOf(VerificationId verification) {
        return store.find(verification, Statements.VERIFICATION_SUMMARY).map(Row::ref);
    }

    /** The newest verification of the project that was attested for exactly this change-set. */
    public Optional<VerificationId> verificationOf(ProjectId project, Sha256 changeSet) {
        return store.newestVerification(project, changeSet);
    }

    private Row sign(Summary summary, String predicateType, ObjectNode statement) {
        byte[] payload = CanonicalJson.bytes(statement);
        Signer.Signed signed = signer.sign(Dsse.IN_TOTO, payload);
        Summary.Origin origin = summary.origin();
        UUID id = origin.value();
        boolean verification = origin instanceof Summary.Origin.Verification;
        Row row =
                new Row(
                        ids.next(),
                        summary.project(),
                        verification ? id : null,
                        verification ? null : id,
                        predicateType,
                        statement
                                .at("/predicate/verificationResult")
                                .asString(statement.at("/predicate/result").asString("")),
                        summary.changeSet().sha256(),
                        Sha256.of(payload),
                        signed.keyId(),
                        new String(payload, StandardCharsets.UTF_8),
                        signed.signature(),
                        summary.at());
        store.insert(row, Statements.subjects(summary));
        return row;
    }
}
