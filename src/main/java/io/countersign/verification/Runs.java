package io.countersign.verification;

import io.countersign.gate.Gate;
import io.countersign.gate.Verdict;
import io.countersign.kernel.Cause;
import io.countersign.kernel.Spans;
import io.countersign.verification.VerificationEvent.Type;
import io.countersign.verification.VerificationStore.Claim;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.stereotype.Component;

import tools.jackson.databind.json.JsonMapper;

import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;

/**
 * What every run shares, in either lane: it is numbered and fenced, it can be cancelled or handed
 * back, a fault of the service itself fails closed, and three dead workers end it.
 */
@Component
class Runs implements DisposableBean {
    private static final Logger log = LoggerFactory.getLogger(Runs.class);
    private static final int DEADLY = 3;

    /** How a run ended for its task. */
    enum Ending {
        DONE,
        HAND_BACK
    }

    /** The part of a run that is a lane's own. */
    interface Phase {
        void run(RunContext context) throws InterruptedException;
    }

    private final VerificationStore store;
    private final SubmissionJson frozen;
    private final VerificationEvents events;
    private final Watches watches;
    private final Running running;
    private final Concluding concluding;
    private final Tasks tasks;
    private final InstantSource clock;
    private final JsonMapper json;
    private final Spans spans;
    private final ScheduledExecutorService timer =
            Executors.newSingleThreadScheduledExecutor(
                    Thread.ofPlatform().daemon().name("journal").factory());

    Runs(
            VerificationStore store,
            SubmissionJson frozen,
            VerificationEvents events,
            Watches watches,
            Running running,
            Concluding concluding,
            Tasks tasks,
            InstantSource clock,
            JsonMapper json,
            Spans spans) {
        this.store = store;
        this.frozen = frozen;
        this.events = events;
        this.watches = watches;
        this.running = running;
        this.concluding = concluding;
        this.tasks = tasks;
        this.clock = clock;
        this.json = json;
        this.spans = spans;
    }

    /** Runs one phase of the verification, or does nothing when it has a verdict. */
    Ending run(VerificationId id, Phase phase) {
        Optional<Claim> claim = store.begin(id, clock.instant());
        if (claim.isEmpty()) {
            tasks.finish(id);
            return Ending.DONE;
        }
        MDC.put(Spans.VERIFICATION, id.toString());
        try (Spans.Open span = span(claim.get())) {
            return run(context(claim.get()), phase);
        } finally {
            MDC.remove(Spans.VERIFICATION);
        }
    }

    private Spans.Open span(Claim claim) {
        String name = claim.stage() == null ? "verification" : "grading";
        return spans.resume(claim.traceparent(), name)
                .tag("countersign.project", claim.project().value())
                .tag("countersign.run", Integer.toString(claim.run()));
    }

    private RunContext context(Claim claim) {
        Journal journal = new Journal(claim.id(), claim.run(), events, watches, timer, clock);
        return new RunContext(
                claim, frozen.submission(claim.input()), frozen.policy(claim.policy()), journal);
    }

    private Ending run(RunContext context, Phase phase) {
        Claim claim = context.claim();
        if (claim.cancelledBy() != null) {
            concluding.cancelled(context, claim.cancelledBy());
            return Ending.DONE;
        }
        if (claim.deadRuns() >= DEADLY) {
            broken(context, "its checks took three workers down");
            return Ending.DONE;
        }
        context.journal()
                .add(
                        Type.STATUS,
                        json.writeValueAsString(Map.of("status", "running", "run", claim.run())));
        try (Running.Work work = running.begin(claim.id())) {
            return run(context, phase, work);
        }
    }

    private Ending run(RunContext context, Phase phase, Running.Work work) {
        try {
            phase.run(context);
            return Ending.DONE;
        } catch (InterruptedException e) {
            String by = work.cancelledBy();
            if (by != null) {
                concluding.cancelled(context, by);
                return Ending.DONE;
            }
            store.release(context.id(), context.claim().run());
            spans.tag(Spans.OUTCOME, "handed_back");
            log.info("handed back: the service stops");
            return Ending.HAND_BACK;
        } catch (OutOfMemoryError e) {
            // This process may not get far enough to store a verdict: it counts as dead.
            throw e;
        } catch (Throwable e) {
            log.error("verification failed (fail-closed)", e);
            broken(context, "verification failed (fail-closed)");
            return Ending.DONE;
        }
    }

    private void broken(RunContext context, String reason) {
        Verdict verdict = Gate.broken(Cause.INFRASTRUCTURE, context.submission().author(), reason);
        concluding.withoutResults(context, verdict);
    }

    @Override
    public void destroy() {
        timer.shutdownNow();
    }
}
