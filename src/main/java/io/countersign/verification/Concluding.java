package io.countersign.verification;

import io.countersign.artefact.ChangeSet;
import io.countersign.check.SetupResult;
import io.countersign.gate.Gate;
import io.countersign.gate.Plan;
import io.countersign.gate.Results;
import io.countersign.gate.Verdict;
import io.countersign.grader.Graded;
import io.countersign.grader.Gradings;
import io.countersign.kernel.Cause;
import io.countersign.verification.VerificationEvent.Type;
import io.countersign.verification.VerificationJob.Prepared;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.stereotype.Component;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import tools.jackson.databind.json.JsonMapper;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Stores verdicts. One transaction takes results, verdict, events, callback and what the listeners
 * of {@link VerificationConcluded} add, or nothing; a run that was fenced off stores nothing.
 */
@Component
class Concluding {
    private static final Logger log = LoggerFactory.getLogger(Concluding.class);

    private final Conclusions conclusions;
    private final VerificationStore store;
    private final CheckResults checkResults;
    private final VerificationEvents events;
    private final Gradings gradings;
    private final Tasks tasks;
    private final Watches watches;
    private final VerdictReport report;
    private final ApplicationEventPublisher publisher;
    private final TransactionTemplate transaction;
    private final InstantSource clock;
    private final JsonMapper json;

    Concluding(
            Conclusions conclusions,
            VerificationStore store,
            CheckResults checkResults,
            VerificationEvents events,
            Gradings gradings,
            Tasks tasks,
            Watches watches,
            VerdictReport report,
            ApplicationEventPublisher publisher,
            PlatformTransactionManager transactions,
            InstantSource clock,
            JsonMapper json) {
        this.conclusions = conclusions;
        this.store = store;
        this.checkResults = checkResults;
        this.events = events;
        this.gradings = gradings;
        this.tasks = tasks;
        this.watches = watches;
        this.report = report;
        this.publisher = publisher;
        this.transaction = new TransactionTemplate(transactions);
        this.clock = clock;
        this.json = json;
    }

    /** Concludes a plan that runs nothing. */
    void without(RunContext context, Prepared prepared, Plan plan) {
        store(context, conclusions.without(context, prepared, plan), null, null);
    }

    /** Concludes a plan that was carried out without grading. */
    void conclude(
            RunContext context,
            Prepared prepared,
            Plan.Verify plan,
            Results results,
            @Nullable SetupResult setup) {
        Conclusion conclusion = conclusions.of(context, prepared, plan, results, false);
        store(context, conclusion, setup == null ? null : setupJson(setup), null);
    }

    /** Concludes a plan whose checks were stored before, after its criteria were graded. */
    void conclude(
            RunContext context,
            Prepared prepared,
            Plan.Verify plan,
            Results results,
            @Nullable Graded graded) {
        Conclusion conclusion = conclusions.of(context, prepared, plan, results, true);
        store(context, conclusion, context.claim().setup(), graded);
    }

    /** Concludes a run that came to no plan, or whose plan broke. */
    void withoutResults(RunContext context, Verdict verdict) {
        store(context, conclusions.bare(context, verdict), null, null);
    }

    /** Concludes a run that somebody cancelled. */
    void cancelled(RunContext context, String by) {
        cancelled(context, by, context.journal().close());
    }

    private void cancelled(RunContext context, String by, List<VerificationEvent> steps) {
        Verdict verdict =
                Gate.broken(Cause.CANCELLED, context.submission().author(), "cancelled by " + by);
        Conclusion conclusion = conclusions.bare(context, verdict);
        store(context, conclusion, context.claim().setup(), null, steps);
    }

    private void store(
            RunContext context,
            Conclusion conclusion,
            @Nullable String setup,
            @Nullable Graded graded) {
        store(context, conclusion, setup, graded, context.journal().close());
    }

    private void store(
            RunContext context,
            Conclusion conclusion,
            @Nullable String setup,
            @Nullable Graded graded,
            List<VerificationEvent> steps) {
        List<VerificationEvent> last = new ArrayList<>(steps);
        last.add(context.journal().last(Type.VERDICT, verdictJson(conclusion.verdict())));
        Boolean stored =
                transaction.execute(status -> storeAll(context, conclusion, setup, graded, last));
        if (!Boolean.TRUE.equals(stored)) {
            refused(context, steps);
            return;
        }
        watches.signal(context.id());
        report.concluded(context, conclusion, graded);
    }

    /** What a run came to is not stored once somebody cancelled it, nor after another run began. */
    private void refused(RunContext context, List<VerificationEvent> steps) {
        store.cancelledBy(context.id(), context.claim().run())
                .ifPresentOrElse(
                        by -> cancelled(context, by, steps),
                        () ->
                                log.warn(
                                        "run {} was fenced off: another one concludes",
                                        context.claim().run()));
    }

    private boolean storeAll(
            RunContext context,
            Conclusion conclusion,
            @Nullable String setup,
            @Nullable Graded graded,
            List<VerificationEvent> last) {
        VerificationId id = context.id();
        if (!store.conclude(id, context.claim().run(), conclusion, setup)) return false;
        Instant expires = conclusion.at().plus(context.policy().keepOutput());
        if (!conclusion.checksStored()) {
            checkResults.insert(id, context.claim().run(), conclusion.checks(), expires);
        }
        if (conclusion.changeSet() instanceof ChangeSet.Known known) {
            store.insertFiles(id, context.project(), known.files());
        }
        if (graded != null) {
            gradings.insert(id.value(), context.claim().run(), graded.row(), conclusion.at());
        }
        events.insert(id, last);
        tasks.finish(id);
        if (context.submission().callback() != null) {
            tasks.schedule(Lane.WAITING, Callbacks.TASK, id.toString(), conclusion.at());
        }
        publisher.publishEvent(concluded(context, conclusion));
        return true;
    }

    private static VerificationConcluded concluded(RunContext context, Conclusion conclusion) {
        return new VerificationConcluded(
                context.id(),
                context.project(),
                context.claim().requestedBy(),
                context.submission().wiring(),
                context.submission().producer(),
                conclusion.dod(),
                conclusion.baseline(),
                conclusion.dodSha256(),
                conclusion.changeSet(),
                conclusion.treeSha256(),
                conclusion.checks(),
                conclusion.verdict(),
                context.policy(),
                conclusion.at());
    }

    /** Stores what the checks showed and queues the grading of the criteria. */
    void handOver(RunContext context, Prepared prepared, CheckPhase.Checked checked) {
        List<VerificationEvent> steps = context.journal().close();
        Instant now = clock.instant();
        String setup = checked.setup() == null ? null : setupJson(checked.setup());
        String stage =
                json.writeValueAsString(
                        new Stage(checked.used().toMillis(), Stage.frozen(prepared.files())));
        Boolean stored =
                transaction.execute(
                        status -> {
                            VerificationId id = context.id();
                            int run = context.claim().run();
                            if (!store.handOver(id, run, stage, setup)) return false;
                            Instant expires = now.plus(context.policy().keepOutput());
                            checkResults.insert(id, run, checked.results().checks(), expires);
                            events.insert(id, steps);
                            tasks.finish(id);
                            tasks.schedule(Lane.WAITING, GradingJob.TASK, id.toString(), now);
                            return true;
                        });
        if (!Boolean.TRUE.equals(stored)) {
            refused(context, steps);
            return;
        }
        report.handedOver();
        watches.signal(context.id());
    }

    private String verdictJson(Verdict verdict) {
        return json.writeValueAsString(
                Map.of(
                        "accepted",
                        verdict.accepted(),
                        "verdict",
                        VerificationViews.verdict(verdict)));
    }

    private String setupJson(SetupResult setup) {
        return json.writeValueAsString(CheckPhase.member(setup));
    }
}
