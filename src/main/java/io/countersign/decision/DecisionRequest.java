package io.countersign.decision;

import io.countersign.decision.Asked.SentReceipt;
import io.countersign.decision.ChangeSetBody.Judged;
import io.countersign.gate.Assurance;
import io.countersign.kernel.Caller;
import io.countersign.kernel.ProblemCode;
import io.countersign.kernel.ProblemException;
import io.countersign.kernel.ProjectId;
import io.countersign.kernel.Role;
import io.countersign.scrub.Clean;
import io.countersign.verification.Trust;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.Optional;
import java.util.UUID;

/**
 * The envelope of a decision. It refuses unknown members; verdict and attestation are documents
 * with schemas of their own and stay open.
 *
 * @param project null takes the caller's own, where it reaches one alone
 * @param override a reason, as text or as {@code {"reason": ...}}
 * @param receipt a receipt, or its id
 */
record DecisionRequest(
        @Nullable String project,
        @Nullable JsonNode verdict,
        @Nullable String reviewId,
        @Nullable JsonNode attestation,
        @Nullable Boolean requireBlocking,
        @Nullable Boolean judgeUnreachable,
        @Nullable JsonNode override,
        @Nullable ChangeSetBody changeSet,
        @Nullable JsonNode receipt) {
    private static final int REASON_CHARS = 2_000;

    /** Checks everything that does not need the database. */
    Asked read(Caller caller, Optional<ReviewStore.Row> review) {
        JsonNode document = notNull(verdict);
        JsonNode attested = notNull(attestation);
        DecisionCore.demandOwnAttestation(
                attested, new Attestor(caller.id(), caller.anchorKinds(), caller.anchorId()));
        if (document != null && review.isPresent()) {
            throw ProblemException.invalid("/verdict", "give either a verdict or a reviewId");
        }
        Judged judged = judged(review);
        demandSubject(attested, judged);
        return new Asked(
                project(caller, review),
                caller,
                review.isPresent() ? review.get().verdict() : document,
                attested,
                Boolean.TRUE.equals(judgeUnreachable),
                Boolean.TRUE.equals(requireBlocking),
                override(caller),
                judged,
                sentReceipt(),
                review.map(ReviewStore.Row::id).orElse(null),
                assurance(caller, document, review));
    }

    private ProjectId project(Caller caller, Optional<ReviewStore.Row> review) {
        if (review.isEmpty()) {
            return projectOf(caller, project);
        }
        ProjectId reviewed = review.get().project();
        if (project != null && !project.equals(reviewed.value())) {
            throw ProblemException.invalid("/project", "the review belongs to " + reviewed);
        }
        return reviewed;
    }

    /** Neither who attests nor who chose what the judge saw may be the drafter, or any agent. */
    private static Assurance assurance(
            Caller caller, @Nullable JsonNode verdict, Optional<ReviewStore.Row> review) {
        if (review.isPresent()) {
            ReviewStore.Row row = review.get();
            return least(row.author(), Trust.apart(caller, row.drafterId()));
        }
        return Trust.apart(caller, Documents.text(verdict, "drafter_id"));
    }

    private static Assurance least(Assurance a, Assurance b) {
        return a.compareTo(b) < 0 ? a : b;
    }

    private @Nullable Judged judged(Optional<ReviewStore.Row> review) {
        Judged own = changeSet == null ? null : changeSet.read("/changeSet");
        if (review.isEmpty()) {
            return own;
        }
        Judged reviewed = review.get().changeSet();
        if (own != null && !own.sha256().equals(reviewed.sha256())) {
            throw ProblemException.invalid(
                    ProblemCode.SUBJECT_MISMATCH,
                    "/changeSet",
                    "the review is about change-set " + reviewed.sha256());
        }
        return reviewed;
    }

    private static void demandSubject(@Nullable JsonNode attestation, @Nullable Judged judged) {
        if (Documents.isAbsent(attestation, "subject")) {
            return;
        }
        String subject = Documents.text(attestation, "subject");
        String hash = judged == null ? null : judged.sha256().hex();
        if (subject == null || !subject.equals(hash)) {
            throw ProblemException.invalid(
                    ProblemCode.SUBJECT_MISMATCH,
                    "/attestation/subject",
                    hash == null
                            ? "names a change-set, and none came along"
                            : "is not the change-set's hash, " + hash);
        }
    }

    private Question.@Nullable Override override(Caller caller) {
        JsonNode asked = notNull(override);
        if (asked == null) {
            return null;
        }
        if (!caller.has(Role.ADMIN)) {
            throw new ProblemException(
                    ProblemCode.FORBIDDEN, "only an administrator may override a block");
        }
        JsonNode reason = asked.isObject() && asked.size() == 1 ? asked.path("reason") : asked;
        String text = reason.isString() ? reason.stringValue() : "";
        if (Documents.isBlank(text)) {
            throw ProblemException.invalid("/override", "needs a reason that is not blank");
        }
        return new Question.Override(caller.id(), Clean.line(text, REASON_CHARS));
    }

    private @Nullable SentReceipt sentReceipt() {
        JsonNode sent = notNull(receipt);
        if (sent == null) {
            return null;
        }
        JsonNode id = sent.isObject() ? sent.path("id") : sent;
        return new SentReceipt(uuid(id), sent.isObject() ? sent : null);
    }

    private static @Nullable UUID uuid(JsonNode id) {
        try {
            return id.isString() ? UUID.fromString(id.stringValue()) : null;
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /**
     * The project that a caller means.
     *
     * @throws ProblemException 422 when it names none and reaches more than one, 403 when it names
     *     one out of reach
     */
    static ProjectId projectOf(Caller caller, @Nullable String named) {
        if (named != null) {
            ProjectId project = ProjectId.parse("/project", named);
            caller.demand(project);
            return project;
        }
        if (caller.projects().size() == 1) {
            String only = caller.projects().iterator().next();
            return new ProjectId(only.equals("*") ? "default" : only);
        }
        throw ProblemException.invalid("/project", "name it: this key reaches more than one");
    }

    static @Nullable JsonNode notNull(@Nullable JsonNode node) {
        return node == null || node.isNull() ? null : node;
    }
}
