package io.countersign.verification;

import io.countersign.artefact.Workspaces;
import io.countersign.audit.AuditLog;
import io.countersign.dod.DodJson;
import io.countersign.kernel.Caller;
import io.countersign.kernel.CanonicalJson;
import io.countersign.kernel.Ids;
import io.countersign.kernel.ProblemCode;
import io.countersign.kernel.ProblemException;
import io.countersign.kernel.ProjectId;
import io.countersign.kernel.Spans;
import io.countersign.verification.VerificationStore.Queued;

import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;

import tools.jackson.databind.json.JsonMapper;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;

/** The public face of this module: submit work, wait for its verdict, read it, cancel it. */
@Service
public class Verifications {
    /** How long the workspace of a verification that was asked for again is kept. */
    private static final Duration KEEP_INPUT = Duration.ofDays(7);

    private final VerificationStore store;
    private final VerificationViews views;
    private final Policies policies;
    private final SubmissionJson frozen;
    private final Workspaces workspaces;
    private final Tasks tasks;
    private final Queue queue;
    private final Watches watches;
    private final Running running;
    private final Closing closing;
    private final Runs runs;
    private final TransactionTemplate transaction;
    private final AuditLog audit;
    private final Spans spans;
    private final Ids ids;
    private final InstantSource clock;
    private final JsonMapper json;

    Verifications(
            VerificationStore store,
            VerificationViews views,
            Policies policies,
            SubmissionJson frozen,
            Workspaces workspaces,
            Tasks tasks,
            Queue queue,
            Watches watches,
            Running running,
            Closing closing,
            Runs runs,
            PlatformTransactionManager transactions,
            AuditLog audit,
            Spans spans,
            Ids ids,
            InstantSource clock,
            JsonMapper json) {
        this.store = store;
        this.views = views;
        this.policies = policies;
        this.frozen = frozen;
        this.workspaces = workspaces;
        this.tasks = tasks;
        this.queue = queue;
        this.watches = watches;
        this.running = running;
        this.closing = closing;
        this.runs = runs;
        this.transaction = new TransactionTemplate(transactions);
        this.audit = audit;
        this.spans = spans;
        this.ids = ids;
        this.clock = clock;
        this.json = json;
    }

    /**
     * Queues a verification: one transaction freezes its policy and stores it with its task, the
     * caller's own where one is active.
     *
     * @throws ProblemException 422 for a DoD over its limits, 429 when the queue is full, 503 while
     *     the service shuts down
     */
    @Transactional
    public VerificationId submit(Caller caller, Submission submission) {
        closing.demandOpen();
        queue.demandRoom();
        EffectivePolicy policy = policies.freeze(submission.project(), submission.limits());
        String policyText = frozen.write(policy);
        VerificationId id = new VerificationId(ids.next());
        Instant now = clock.instant();
        store.insert(
                new Queued(
                        id,
                        caller.id(),
                        submission,
                        frozen.write(submission),
                        policyText,
                        CanonicalJson.sha256(json.readTree(policyText)),
                        json.writeValueAsString(DodJson.members(submission.dod())),
                        spans.traceparent().orElse(null),
                        now));
        tasks.schedule(Lane.CHECKS, VerificationJob.TASK, id.toString(), now);
        audit.record(
                caller,
                submission.project(),
                "verification.submitted",
                id.toString(),
                Map.of("producer", String.valueOf(submission.producer().id())));
        queue.added();
        return id;
    }

    /** How long a delegation of the project may stay idle. */
    public Duration delegateTimeout(ProjectId project) {
        return policies.delegateTimeout(project);
    }

    /** The verification JSON; 404 when there is none. It holds what members contribute. */
    public Map<String, @Nullable Object> view(VerificationId id) {
        return views.view(row(id));
    }

    Map<String, @Nullable Object> view(VerificationRow row) {
        return views.view(row);
    }

    /** The policy that a verification of the project would get now, without a request's limits. */
    public EffectivePolicy policyOf(ProjectId project) {
        return policies.freeze(project, Submission.Limits.NONE);
    }

    /** The frozen input of a verification; its blobs are kept for a time only. */
    public Optional<Submission> submission(VerificationId id) {
        return store.input(id).map(frozen::submission);
    }

    VerificationRow row(VerificationId id) {
        return store.find(id)
                .orElseThrow(() -> ProblemException.notFound("there is no verification " + id));
    }

    /** The row, within the caller's reach: one that is out of it does not exist. */
    VerificationRow row(Caller caller, VerificationId id) {
        VerificationRow row = row(id);
        if (!caller.reaches(new ProjectId(row.project()))) {
            throw ProblemException.notFound("there is no verification " + id);
        }
        return row;
    }

    /**
     * Waits until there is a verdict, at most {@code timeout}; false when there is none by then, or
     * when the service shuts down. No transaction may be active.
     */
    public boolean await(VerificationId id, Duration timeout) throws InterruptedException {
        return awaited(id, timeout).concluded();
    }

    /** The row once it has a verdict, else as it is after {@code timeout}. */
    VerificationRow awaited(VerificationId id, Duration timeout) throws InterruptedException {
        return awaited(id, timeout, false);
    }

    /**
     * The same for one that was queued just now, which is not looked at before there are news: news
     * that came before the watch show with its first poll.
     */
    VerificationRow awaitedFromQueue(VerificationId id, Duration timeout)
            throws InterruptedException {
        return awaited(id, timeout, true);
    }

    private VerificationRow awaited(VerificationId id, Duration timeout, boolean justQueued)
            throws InterruptedException {
        long end = System.nanoTime() + timeout.toNanos();
        try (Watches.Watch watch = watches.open(id)) {
            if (justQueued && !closing.closing()) watch.await(timeout);
            while (true) {
                VerificationRow row = row(id);
                long left = end - System.nanoTime();
                if (row.concluded() || left <= 0 || closing.closing()) return row;
                watch.await(Duration.ofNanos(left));
            }
        }
    }

    /**
     * Cancels a verification: its work stops for real, its verdict is {@code cancelled}. One that
     * has a verdict keeps it.
     */
    public void cancel(Caller caller, VerificationId id) {
        VerificationRow row = row(caller, id);
        Boolean marked = transaction.execute(status -> markCancelled(caller, row));
        if (!Boolean.TRUE.equals(marked)) return;
        if (row.held()) {
            running.cancel(id, caller.id());
        } else {
            // Nobody works on it: a run that sees the mark concludes it here and now.
            runs.run(id, context -> {});
        }
    }

    private boolean markCancelled(Caller caller, VerificationRow row) {
        if (!store.cancel(row.id(), caller.id())) return false;
        ProjectId project = new ProjectId(row.project());
        audit.record(caller, project, "verification.cancelled", row.id().toString(), Map.of());
        return true;
    }

    /** Queues a verification of the same frozen input, under the policy of now. */
    @Transactional
    public VerificationId rerun(Caller caller, VerificationId id) {
        row(caller, id);
        String input =
                store.input(id)
                        .orElseThrow(
                                () -> ProblemException.notFound("there is no verification " + id));
        Submission first = frozen.submission(input);
        if (!workspaces.retain(
                first.project(), first.workspace(), clock.instant().plus(KEEP_INPUT))) {
            throw new ProblemException(
                    ProblemCode.UNKNOWN_BLOB,
                    "the workspace of verification " + id + " is not kept any more: post it again");
        }
        return submit(caller, first.again(id));
    }
}
