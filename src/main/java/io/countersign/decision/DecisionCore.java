package io.countersign.decision;

import io.countersign.access.AnchorKind;
import io.countersign.decision.Decision.Advisory;
import io.countersign.decision.Decision.Block;
import io.countersign.decision.Decision.Demoted;
import io.countersign.decision.Decision.Findings;
import io.countersign.decision.Decision.Ground;
import io.countersign.decision.Decision.Identity;
import io.countersign.decision.Decision.JudgeUnreachable;
import io.countersign.decision.Decision.Overridden;
import io.countersign.decision.Decision.Pass;
import io.countersign.decision.Decision.ReceiptInvalid;
import io.countersign.decision.Decision.Tamper;
import io.countersign.decision.Decision.Unanchored;
import io.countersign.decision.JudgeVerdict.Finding;
import io.countersign.decision.JudgeVerdict.Outcome;
import io.countersign.decision.JudgeVerdict.Severity;
import io.countersign.grader.Quotes;
import io.countersign.kernel.ProblemCode;
import io.countersign.kernel.ProblemException;
import io.countersign.scrub.Scrubber;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.List;

/** The rules of {@code docs/trust.md}, in their order; the first that applies decides. Pure. */
final class DecisionCore {
    static final String ATTESTATION_SCHEMA = "verify_gate.attestation.v1";

    private final Question question;
    private final Anchor anchor;
    private final List<String> reasons = new ArrayList<>();

    private DecisionCore(Question question) {
        this.question = question;
        this.anchor = Anchor.of(question.attestation(), question.attestor());
    }

    /**
     * @throws ProblemException 403 when the attestation names another attestor than the caller
     */
    static Decision decide(Question question) {
        demandOwnAttestation(question.attestation(), question.attestor());
        return new DecisionCore(question).decide();
    }

    /**
     * Identity is checked before any rule runs.
     *
     * @throws ProblemException 403 when the attestation names another attestor than the caller
     */
    static void demandOwnAttestation(@Nullable JsonNode attestation, Attestor attestor) {
        if (!Documents.isAbsent(attestation, "attestor")
                && !attestor.id().equals(Documents.text(attestation, "attestor"))) {
            throw new ProblemException(
                    ProblemCode.FORBIDDEN,
                    "attestation.attestor must be the calling principal, " + attestor.id());
        }
    }

    private Decision decide() {
        JsonNode document = question.verdict();
        if (question.judgeUnreachable() || document == null || document.isNull()) {
            reasons.add("the judge could not be reached: there is no verdict");
            noteDowngrade();
            return new JudgeUnreachable(ground());
        }
        if (Documents.attestsItself(document)) {
            return new Tamper(
                    new Ground(
                            null,
                            List.of(
                                    "the verdict attests itself: an anchor comes from outside it")));
        }
        VerdictReader reader = new VerdictReader();
        JudgeVerdict verdict = reader.read(document);
        reasons.addAll(reader.problems());
        checkAttestation(verdict);
        if (!reasons.isEmpty()) {
            noteDowngrade();
            return new Tamper(ground());
        }
        noteDowngrade();
        if (verdict.producerId().equals(verdict.drafterId())) {
            reasons.addFirst("the judge " + verdict.producerId() + " is the drafter");
            return new Identity(ground());
        }
        return withReceipt(withOverride(judged(verdict)));
    }

    private void noteDowngrade() {
        if (anchor.downgrade() != null) {
            reasons.add(anchor.downgrade());
        }
    }

    private Ground ground() {
        return new Ground(anchor.kind(), reasons);
    }

    private void checkAttestation(JudgeVerdict verdict) {
        JsonNode attestation = question.attestation();
        if (attestation == null || !attestation.isObject()) {
            reasons.add("there is no attestation");
            return;
        }
        if (!ATTESTATION_SCHEMA.equals(Documents.text(attestation, "schema"))) {
            reasons.add("the attestation's schema is not " + ATTESTATION_SCHEMA);
        }
        if (anchor.kind() == null) {
            reasons.add("the attestation's anchor_kind does not exist");
        }
        if (isOtherThanText(attestation, "anchor_id")) {
            reasons.add("the attestation's anchor_id is no text");
        }
        String anchorId = Documents.text(attestation, "anchor_id");
        if (anchorId != null && !Documents.isBlank(anchorId) && !Documents.isId(anchorId)) {
            reasons.add("the attestation's anchor_id is no id");
        }
        if (!Documents.isAbsent(attestation, "context_isolated")
                && !attestation.get("context_isolated").isBoolean()) {
            reasons.add("the attestation's context_isolated is no boolean");
        }
        String producer = Documents.text(attestation, "producer_id");
        if (producer == null || !Documents.isId(producer)) {
            reasons.add("the attestation has no usable producer_id");
        } else if (!producer.equals(verdict.producerId())) {
            reasons.add("the attestation is about another judge than the verdict's");
        }
    }

    private static boolean isOtherThanText(JsonNode node, String name) {
        return !Documents.isAbsent(node, name) && !node.get(name).isString();
    }

    private Decision judged(JudgeVerdict verdict) {
        List<Finding> blocking = new ArrayList<>();
        List<Demoted> demoted = new ArrayList<>();
        verdict.lenses().stream()
                .filter(lens -> lens.outcome() == Outcome.REFUTED)
                .flatMap(lens -> lens.findings().stream())
                .forEach(finding -> weigh(finding, blocking, demoted));
        String obstacle = obstacle(verdict);
        boolean attestorDrafted = question.attestor().id().equals(verdict.drafterId());
        boolean earned = obstacle == null && !attestorDrafted;
        if (obstacle != null) {
            reasons.add("this judge cannot block: " + obstacle);
        }
        if (!blocking.isEmpty()) {
            Findings findings = new Findings(blocking, demoted, earned);
            reasons.addFirst(refuted(blocking));
            return obstacle == null
                    ? new Block(ground(), findings)
                    : question.requireBlocking()
                            ? new Unanchored(ground(), findings)
                            : new Advisory(ground(), findings);
        }
        Findings findings = new Findings(blocking, demoted, earned && verdict.everyLensHolds());
        if (obstacle != null && question.requireBlocking()) {
            return new Unanchored(ground(), findings);
        }
        reasons.addFirst("no substantiated refutation of severity high");
        return new Pass(ground(), findings);
    }

    private static String refuted(List<Finding> blocking) {
        return blocking.size() == 1
                ? "one substantiated refutation of severity high"
                : blocking.size() + " substantiated refutations of severity high";
    }

    /** Demotion does not look at severity; blocking does. */
    private void weigh(Finding finding, List<Finding> blocking, List<Demoted> demoted) {
        String why = whyDemoted(finding);
        if (why != null) {
            demoted.add(new Demoted(finding, why));
            reasons.add("demoted a finding of lens " + finding.lens() + ": " + why);
        } else if (finding.severity() == Severity.HIGH) {
            blocking.add(finding);
        }
    }

    private @Nullable String whyDemoted(Finding finding) {
        String ref = finding.ref();
        String literal = finding.literal();
        if (ref == null || literal == null) {
            return "no evidence with both ref and literal";
        }
        String path = Quotes.pathOf(ref);
        boolean found =
                question.content()
                        .textOf(path)
                        .map(text -> Quotes.occurs(literal, text) || occursScrubbed(literal, text))
                        .orElse(true);
        return found ? null : "the quoted text does not occur in " + path;
    }

    /**
     * A verdict that was stored with its review, or came from a grader, quotes what it was shown.
     */
    private static boolean occursScrubbed(String literal, String text) {
        return Quotes.occurs(Scrubber.scrub(literal), Scrubber.scrub(text));
    }

    /** Why the judge is not eligible to block; null when it is. */
    private @Nullable String obstacle(JudgeVerdict verdict) {
        AnchorKind kind = anchor.kind();
        if (kind == null || !kind.outside()) {
            return "its anchor is inside the producer's reach";
        }
        if (question.attestor().id().equals(verdict.producerId())) {
            return "it attests itself";
        }
        JsonNode attestation = question.attestation();
        boolean isolated =
                attestation != null && attestation.path("context_isolated").asBoolean(false);
        return isolated || kind == AnchorKind.HUMAN_EXTERNAL
                ? null
                : "its context was not isolated from the producer's";
    }

    private Decision withOverride(Decision decision) {
        Question.Override override = question.override();
        if (!(decision instanceof Block block) || override == null) {
            return decision;
        }
        reasons.addFirst("overridden by " + override.by() + ": " + override.reason());
        return new Overridden(ground(), block.findings(), override);
    }

    private Decision withReceipt(Decision decision) {
        String problem = question.receiptProblem();
        if (problem == null || decision.exitCode() != 0) {
            return decision;
        }
        reasons.addFirst("the receipt is not valid: " + problem);
        return new ReceiptInvalid(ground(), decision.heard().withoutReceipt(), decision.override());
    }
}
