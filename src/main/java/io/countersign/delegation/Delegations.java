package io.countersign.delegation;

import io.countersign.audit.AuditLog;
import io.countersign.delegation.DelegationStore.AttemptRow;
import io.countersign.delegation.DelegationStore.DelegationRow;
import io.countersign.dod.DodJson;
import io.countersign.dod.Hints;
import io.countersign.gate.Assurance;
import io.countersign.kernel.Caller;
import io.countersign.kernel.Ids;
import io.countersign.kernel.ProblemCode;
import io.countersign.kernel.ProblemException;
import io.countersign.kernel.ProjectId;
import io.countersign.scrub.Bounded;
import io.countersign.scrub.Clean;
import io.countersign.scrub.Scrubber;
import io.countersign.verification.Producer;
import io.countersign.verification.Submission;
import io.countersign.verification.Submissions;
import io.countersign.verification.Trust;
import io.countersign.verification.VerificationId;
import io.countersign.verification.VerificationRequest;
import io.countersign.verification.VerificationRequest.ProducerRequest;
import io.countersign.verification.Verifications;

import org.jspecify.annotations.Nullable;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

import tools.jackson.databind.json.JsonMapper;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Opens, feeds and ends delegations. The DoD and the policy come from the opener; whoever submits
 * an attempt changes nothing of them.
 */
@Service
class Delegations {
    private static final int MAX_TEXT = 20_000;

    private final DelegationStore store;
    private final Escalation escalation;
    private final Submissions submissions;
    private final Verifications verifications;
    private final AuditLog audit;
    private final Ids ids;
    private final InstantSource clock;
    private final JsonMapper json;

    Delegations(
            DelegationStore store,
            Escalation escalation,
            Submissions submissions,
            Verifications verifications,
            AuditLog audit,
            Ids ids,
            InstantSource clock,
            JsonMapper json) {
        this.store = store;
        this.escalation = escalation;
        this.submissions = submissions;
        this.verifications = verifications;
        this.audit = audit;
        this.ids = ids;
        this.clock = clock;
        this.json = json;
    }

    /**
     * Opens a delegation.
     *
     * @throws ProblemException 422 that names the member at fault
     */
    @Transactional
    DelegationRow open(Caller caller, DelegationRequest request) {
        ProjectId project = Submissions.project(caller, request.project());
        Terms terms =
                new Terms(
                        request.mode() == null ? "dispatch" : request.mode(),
                        request.acceptance(),
                        Boolean.TRUE.equals(request.trivial()),
                        request.cwd(),
                        request.hints() == null ? Hints.NONE : request.hints(),
                        Terms.verification(request.policy()),
                        Terms.allowedPaths(request.policy()),
                        Terms.acceptNoChanges(request.policy()),
                        escalation.effective(
                                project,
                                request.policy() == null ? null : request.policy().escalate()));
        String dispatch = request.dispatch() == null ? "" : request.dispatch();
        LadderState ladder =
                LadderState.start(
                        terms.escalation(),
                        request.producer() == null ? null : request.producer().tier());
        String tier = terms.escalation().ladder().get(ladder.tier());
        Submission empty =
                submission(caller, project.value(), dispatch, terms, NO_WORK)
                        .under(Assurance.SELF, tier, terms.checks(), terms.acceptNoChanges());
        Duration idle = verifications.delegateTimeout(project);
        Instant now = clock.instant();
        DelegationRow row =
                new DelegationRow(
                        ids.next(),
                        project.value(),
                        caller.id(),
                        DelegationState.OPEN,
                        null,
                        dispatch,
                        terms,
                        json.writeValueAsString(DodJson.members(empty.dod())),
                        ladder,
                        tier,
                        idle,
                        now,
                        now.plus(idle),
                        null);
        store.insert(row);
        audit.record(
                caller,
                project,
                "delegation.opened",
                row.id().toString(),
                Map.of("mode", terms.mode()));
        return row;
    }

    private static final AttemptRequest NO_WORK =
            new AttemptRequest(null, null, null, null, null, null, null);

    private Submission submission(
            Caller caller, String project, String dispatch, Terms terms, AttemptRequest attempt) {
        AttemptRequest.ProducerId producer = attempt.producer();
        return submissions.read(
                caller,
                new VerificationRequest(
                        project,
                        terms.mode(),
                        "authoritative",
                        dispatch,
                        terms.acceptance(),
                        terms.trivial(),
                        new ProducerRequest(
                                producer == null ? null : producer.id(),
                                null,
                                null,
                                producer == null ? null : producer.model(),
                                attempt.error()),
                        attempt.artefact(),
                        attempt.workspace(),
                        attempt.base(),
                        terms.cwd(),
                        terms.hints(),
                        attempt.runtimeEvidence(),
                        null,
                        null));
    }

    /**
     * Takes an attempt in and queues its verification.
     *
     * @return its number
     * @throws ProblemException 404, or 409 when the delegation has ended or an attempt is under way
     */
    @Transactional
    AttemptRow attempt(Caller caller, UUID id, AttemptRequest request) {
        DelegationRow row = locked(caller, id);
        List<AttemptRow> attempts = store.attempts(id);
        demandRoom(row, attempts);
        BigDecimal cost = cost(request.costUnits());
        Submission read = submission(caller, row.project(), row.dispatch(), row.terms(), request);
        Submission judged =
                read.under(
                        author(row, caller, read.producer()),
                        row.currentTier(),
                        row.terms().checks(),
                        row.terms().acceptNoChanges());
        VerificationId verification = verifications.submit(caller, judged);
        AttemptRow attempt =
                new AttemptRow(
                        id,
                        attempts.size() + 1,
                        verification,
                        caller.id(),
                        cost,
                        row.currentTier(),
                        Bounded.headTail(
                                Clean.text(Scrubber.scrub(read.finalReturnText())), MAX_TEXT),
                        null,
                        null,
                        null,
                        null,
                        null,
                        clock.instant(),
                        null);
        store.insertAttempt(attempt);
        return attempt;
    }

    /** The DoD's author is the opener: apart from the producer when it is another principal. */
    private static Assurance author(DelegationRow row, Caller caller, Producer producer) {
        if (row.openedBy().equals(caller.id())) return Trust.author(caller, producer);
        boolean same =
                producer.id() != null && producer.id().strip().equalsIgnoreCase(row.openedBy());
        return same ? Assurance.SELF : Assurance.INDEPENDENT;
    }

    private void demandRoom(DelegationRow row, List<AttemptRow> attempts) {
        if (row.state() != DelegationState.OPEN) {
            throw new ProblemException(
                    ProblemCode.CONFLICT,
                    "delegation " + row.id() + " is " + row.state().wire() + ": open a new one");
        }
        if (attempts.stream().anyMatch(attempt -> attempt.concludedAt() == null)) {
            throw new ProblemException(
                    ProblemCode.CONFLICT,
                    "an attempt of delegation " + row.id() + " is being verified: wait for it");
        }
    }

    private static @Nullable BigDecimal cost(@Nullable BigDecimal units) {
        try {
            return units == null ? null : Costs.demand(units);
        } catch (IllegalArgumentException e) {
            throw ProblemException.invalid("/costUnits", String.valueOf(e.getMessage()));
        }
    }

    /** Ends an open delegation by hand; one that has ended stays as it is. */
    @Transactional
    void abandon(Caller caller, UUID id) {
        DelegationRow row = locked(caller, id);
        if (!store.close(id, DelegationState.ABANDONED, "abandoned", clock.instant())) return;
        ProjectId project = new ProjectId(row.project());
        audit.record(caller, project, "delegation.abandoned", id.toString(), Map.of());
    }

    private DelegationRow locked(Caller caller, UUID id) {
        store.expire(clock.instant());
        return reachable(caller, id, store.lock(id).orElse(null));
    }

    /** The row, within the caller's reach: one that is out of it does not exist. */
    DelegationRow find(Caller caller, UUID id) {
        store.expire(clock.instant());
        return reachable(caller, id, store.find(id).orElse(null));
    }

    private static DelegationRow reachable(Caller caller, UUID id, @Nullable DelegationRow row) {
        if (row == null || !caller.reaches(new ProjectId(row.project()))) {
            throw ProblemException.notFound("there is no delegation " + id);
        }
        return row;
    }

    @Scheduled(fixedDelay = 30_000)
    void expireIdle() {
        store.expire(clock.instant());
    }
}
