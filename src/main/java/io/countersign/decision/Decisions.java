package io.countersign.decision;

import io.countersign.access.AnchorKind;
import io.countersign.attestation.AttestationRef;
import io.countersign.attestation.Attestations;
import io.countersign.attestation.Summary;
import io.countersign.audit.AuditLog;
import io.countersign.decision.ChangeSetBody.Judged;
import io.countersign.decision.Decision.Block;
import io.countersign.decision.Decision.Overridden;
import io.countersign.gate.Assurance;
import io.countersign.kernel.CanonicalJson;
import io.countersign.kernel.Ids;
import io.countersign.kernel.ProblemException;
import io.countersign.kernel.Sha256;
import io.countersign.receipt.Demand;
import io.countersign.receipt.Issue;
import io.countersign.receipt.Receipt;
import io.countersign.receipt.Receipts;
import io.countersign.verification.EffectivePolicy;
import io.countersign.verification.Verifications;

import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/** Decides, and stores what was decided with its attestation, its receipt and its audit event. */
@Service
class Decisions {
    private static final String JUDGE_VERDICT = "urn:countersign:judge-verdict";

    private final DecisionStore store;
    private final FrozenContent content;
    private final Attestations attestations;
    private final Receipts receipts;
    private final Verifications verifications;
    private final AuditLog audit;
    private final Ids ids;
    private final InstantSource clock;
    private final JsonMapper json;

    Decisions(
            DecisionStore store,
            FrozenContent content,
            Attestations attestations,
            Receipts receipts,
            Verifications verifications,
            AuditLog audit,
            Ids ids,
            InstantSource clock,
            JsonMapper json) {
        this.store = store;
        this.content = content;
        this.attestations = attestations;
        this.receipts = receipts;
        this.verifications = verifications;
        this.audit = audit;
        this.ids = ids;
        this.clock = clock;
        this.json = json;
    }

    /** A decision that is not stored yet, with the digest of its verdict. */
    record Decided(Asked asked, Decision decision, @Nullable Sha256 verdictSha256) {}

    /**
     * Decides. Outside any transaction: it may have to read the verified files.
     *
     * @throws ProblemException 403 for an attestor who is not the caller, 422 for a verdict that
     *     has no canonical form
     */
    Decided decide(Asked asked) {
        JsonNode verdict = asked.verdict();
        Sha256 digest = verdict == null ? null : CanonicalJson.sha256(verdict);
        if (asked.attestation() != null) {
            // Refused here when it has no canonical form: it could not be stored as it came.
            CanonicalJson.sha256(asked.attestation());
        }
        try (FrozenContent.Opened known = content.open(asked.project(), asked.changeSet())) {
            Question question =
                    new Question(
                            verdict,
                            asked.attestation(),
                            asked.attestor(),
                            asked.judgeUnreachable(),
                            asked.requireBlocking(),
                            asked.override(),
                            receiptProblem(asked),
                            known);
            return new Decided(asked, DecisionCore.decide(question), digest);
        }
    }

    /** Why the receipt that came along is not valid for the change-set; null when it is. */
    private @Nullable String receiptProblem(Asked asked) {
        Asked.SentReceipt sent = asked.receipt();
        if (sent == null) {
            return null;
        }
        if (sent.id() == null) {
            return "it is neither a receipt nor the id of one";
        }
        Judged changeSet = asked.changeSet();
        if (changeSet == null) {
            return "no change-set came along that it could be for";
        }
        Assurance least = verifications.policyOf(asked.project()).receipts().minAssurance();
        try {
            Receipt receipt =
                    receipts.validate(
                            asked.caller(), sent.id(), Demand.of(changeSet.sha256(), least));
            if (!receipt.project().equals(asked.project().value())) {
                return "it is of another project";
            }
            return says(json.valueToTree(receipt), sent.document())
                    ? null
                    : "it is not the receipt that was issued under this id";
        } catch (ProblemException refusal) {
            return refusal.detail();
        }
    }

    /** Whether all that was sent of a document stands in it. */
    private static boolean says(JsonNode document, @Nullable JsonNode sent) {
        return sent == null
                || sent.properties().stream()
                        .allMatch(m -> m.getValue().equals(document.path(m.getKey())));
    }

    /** Stores a decision and what follows from it. Needs a transaction. */
    @Transactional(propagation = Propagation.MANDATORY)
    public DecisionView store(Decided decided) {
        Asked asked = decided.asked();
        Decision decision = decided.decision();
        UUID id = ids.next();
        Instant now = clock.instant();
        boolean earned =
                decision.heard().receiptEarned()
                        && decision.exitCode() == 0
                        && asked.changeSet() != null
                        && !asked.changeSet().isEmpty();
        AttestationRef attestation =
                earned || decision instanceof Block ? attest(decided, id, now) : null;
        Receipt receipt = earned ? issue(decided, id, attestation) : null;
        DecisionView view = view(decided, id, now, receipt, attestation);
        store.insert(row(asked, view, decided.verdictSha256()));
        record(asked, view);
        return view;
    }

    private @Nullable AttestationRef attest(Decided decided, UUID id, Instant now) {
        Judged changeSet = decided.asked().changeSet();
        if (changeSet == null || changeSet.isEmpty()) {
            return null;
        }
        boolean passed = decided.decision().exitCode() == 0;
        return attestations.attest(
                new Summary(
                        decided.asked().project(),
                        new Summary.Origin.Decision(id),
                        new Summary.Policy(JUDGE_VERDICT, decided.verdictSha256()),
                        changeSet.known(),
                        null,
                        decided.asked().assurance(),
                        passed,
                        decided.decision() instanceof Overridden,
                        List.of(),
                        now));
    }

    private Receipt issue(Decided decided, UUID id, @Nullable AttestationRef attestation) {
        Judged changeSet = Objects.requireNonNull(decided.asked().changeSet());
        EffectivePolicy.Receipts policy =
                verifications.policyOf(decided.asked().project()).receipts();
        return receipts.issue(
                new Issue(
                        decided.asked().project(),
                        new Summary.Origin.Decision(id),
                        changeSet.files(),
                        changeSet.sha256(),
                        null,
                        null,
                        Objects.requireNonNull(decided.verdictSha256()),
                        decided.asked().assurance(),
                        policy.minAssurance(),
                        policy.window(),
                        decided.decision() instanceof Overridden,
                        attestation));
    }

    private static DecisionView view(
            Decided decided,
            UUID id,
            Instant now,
            @Nullable Receipt receipt,
            @Nullable AttestationRef attestation) {
        Asked asked = decided.asked();
        Decision decision = decided.decision();
        AnchorKind kind = decision.ground().anchorKind();
        return new DecisionView(
                id,
                asked.project().value(),
                decision.exitCode(),
                decision.wire(),
                decision.blocking(),
                decision.advisory(),
                DecisionView.reasons(decision),
                DecisionView.findings(decision),
                DecisionView.demoted(decision),
                kind == null ? null : kind.wire(),
                decision.override(),
                asked.reviewId(),
                asked.changeSet() == null ? null : asked.changeSet().sha256(),
                receipt,
                attestation,
                now);
    }

    private static DecisionStore.Row row(
            Asked asked, DecisionView view, @Nullable Sha256 verdictSha256) {
        JsonNode verdict = asked.verdict();
        JsonNode attestation = asked.attestation();
        return new DecisionStore.Row(
                view,
                asked.caller().id(),
                Documents.text(verdict, "drafter_id"),
                Documents.text(verdict, "producer_id"),
                verdictSha256 == null ? null : verdictSha256.hex(),
                verdict == null ? null : Scrubbed.copy(verdict).toString(),
                attestation == null ? null : Scrubbed.copy(attestation).toString());
    }

    private void record(Asked asked, DecisionView view) {
        audit.record(
                asked.caller(),
                asked.project(),
                "decision.made",
                view.id().toString(),
                Map.of("exitCode", view.exitCode(), "decision", view.decision()));
        Question.Override override = view.overridden();
        if (override != null) {
            audit.record(
                    asked.caller(),
                    asked.project(),
                    "decision.overridden",
                    view.id().toString(),
                    Map.of("by", override.by(), "reason", override.reason()));
        }
    }
}
