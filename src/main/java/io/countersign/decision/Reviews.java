package io.countersign.decision;

import io.countersign.access.AnchorKind;
import io.countersign.access.Principals;
import io.countersign.audit.AuditLog;
import io.countersign.decision.ReviewStore.Backend;
import io.countersign.decision.ReviewStore.Row;
import io.countersign.kernel.Caller;
import io.countersign.kernel.CanonicalJson;
import io.countersign.kernel.PrincipalKind;
import io.countersign.kernel.ProblemCode;
import io.countersign.kernel.ProblemException;
import io.countersign.kernel.Role;
import io.countersign.verification.Verifications;

import org.springframework.stereotype.Service;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;

import tools.jackson.databind.JsonNode;

import java.time.InstantSource;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** Reviews: a sealed bundle, a judge that is authenticated or the service's grader, one verdict. */
@Service
class Reviews {
    private final ReviewStore store;
    private final Decisions decisions;
    private final GraderJudge judge;
    private final Verifications verifications;
    private final Principals principals;
    private final AuditLog audit;
    private final InstantSource clock;
    private final TransactionTemplate transaction;

    Reviews(
            ReviewStore store,
            Decisions decisions,
            GraderJudge judge,
            Verifications verifications,
            Principals principals,
            AuditLog audit,
            InstantSource clock,
            PlatformTransactionManager transactions) {
        this.store = store;
        this.decisions = decisions;
        this.judge = judge;
        this.verifications = verifications;
        this.principals = principals;
        this.audit = audit;
        this.clock = clock;
        this.transaction = new TransactionTemplate(transactions);
    }

    /**
     * @throws ProblemException 422 when the judge is no principal with the role
     */
    @Transactional
    public void open(Caller caller, Row review) {
        String named = review.judge();
        if (named != null
                && principals
                        .find(named)
                        .filter(p -> p.roles().contains(Role.JUDGE) && p.reaches(review.project()))
                        .isEmpty()) {
            throw ProblemException.invalid(
                    "/judge",
                    "is no principal with the role judge that reaches " + review.project());
        }
        store.insert(review);
        audit.record(
                caller,
                review.project(),
                "review.opened",
                review.id().toString(),
                Map.of("bundleSha256", review.bundleSha256().hex()));
    }

    /** The review within the caller's reach: one that is out of it does not exist. */
    Row row(Caller caller, UUID id) {
        return store.find(id)
                .filter(row -> caller.reaches(row.project()))
                .orElseThrow(() -> ProblemException.notFound("there is no review " + id));
    }

    /**
     * Takes the verdict of the principal that the review names, from its own credential.
     *
     * @throws ProblemException 403 for anybody else, or a verdict in another's name; 409 when there
     *     is a verdict; 422 when it is about another drafter
     */
    @Transactional
    public Row answer(Caller caller, UUID id, JsonNode verdict) {
        Row review = row(caller, id);
        if (!caller.id().equals(review.judge())) {
            throw new ProblemException(
                    ProblemCode.FORBIDDEN, "this review names another judge than " + caller.id());
        }
        if (!caller.id().equals(Documents.text(verdict, "producer_id"))) {
            throw new ProblemException(
                    ProblemCode.FORBIDDEN, "producer_id must be the calling judge, " + caller.id());
        }
        if (!review.drafterId().equals(Documents.text(verdict, "drafter_id"))) {
            throw ProblemException.invalid(
                    "/drafter_id", "the review is about the work of " + review.drafterId());
        }
        JsonNode stored = Scrubbed.copy(verdict);
        String digest = CanonicalJson.sha256(stored).hex();
        if (!store.answer(id, stored, clock.instant())) {
            throw new ProblemException(ProblemCode.CONFLICT, "this review has its verdict");
        }
        audit.record(
                caller,
                review.project(),
                "review.answered",
                id.toString(),
                Map.of("verdictSha256", digest));
        return row(caller, id);
    }

    /**
     * Lets the grader judge and decides, unless that happened. Outside any transaction; of several
     * that do it at once the first decides.
     */
    void decide(Row review) throws InterruptedException {
        if (review.backend() != Backend.GRADER || review.decisionId() != null) {
            return;
        }
        GraderJudge.Judgement judgement =
                judge.judge(review, verifications.policyOf(review.project()));
        Decisions.Decided decided =
                decisions.decide(
                        new Asked(
                                review.project(),
                                service(),
                                judgement.verdict(),
                                judgement.attestation(),
                                judgement.verdict() == null,
                                false,
                                null,
                                review.changeSet(),
                                null,
                                review.id(),
                                review.author()));
        transaction.executeWithoutResult(
                status -> {
                    DecisionView view = decisions.store(decided);
                    boolean first =
                            store.decided(
                                    review.id(),
                                    judgement.verdict(),
                                    judgement.grading(),
                                    view.id(),
                                    clock.instant());
                    if (!first) {
                        status.setRollbackOnly();
                    }
                });
    }

    /** The service's own principal: it attests that it ran the grader, and nothing else. */
    private static Caller service() {
        return new Caller(
                Caller.SERVICE,
                PrincipalKind.SERVICE,
                Set.of(Role.ATTESTOR),
                Set.of(AnchorKind.STATELESS_API.wire()),
                Set.of("*"),
                null,
                null,
                null);
    }
}
