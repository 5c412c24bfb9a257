package io.countersign.verification;

import io.countersign.artefact.PreparedWorkspace;
import io.countersign.check.CheckResult;
import io.countersign.dod.Deliverables;
import io.countersign.dod.Dod;
import io.countersign.gate.Gate;
import io.countersign.gate.Plan;
import io.countersign.gate.Results;
import io.countersign.grader.FrozenFiles;
import io.countersign.grader.Graded;
import io.countersign.grader.Grader;
import io.countersign.grader.GradingRequest;
import io.countersign.grader.GradingRequest.ShownCheck;
import io.countersign.kernel.Cause;
import io.countersign.verification.VerificationEvent.Type;
import io.countersign.verification.VerificationJob.Prepared;

import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

import tools.jackson.databind.json.JsonMapper;

import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;

/**
 * The job of the waiting lane: grade what the checks lane left to judge, over the workspace as it
 * was frozen, within what is left of the gate's budget.
 */
@Component
class GradingJob {
    static final String TASK = "grading";

    /** Characters of each check's output that the grader is shown. */
    private static final int SHOWN_OUTPUT = 2_000;

    private final VerificationJob verification;
    private final CheckResults checkResults;
    private final Grader grader;
    private final Concluding concluding;
    private final InstantSource clock;
    private final JsonMapper json;

    GradingJob(
            VerificationJob verification,
            CheckResults checkResults,
            Grader grader,
            Concluding concluding,
            InstantSource clock,
            JsonMapper json) {
        this.verification = verification;
        this.checkResults = checkResults;
        this.grader = grader;
        this.concluding = concluding;
        this.clock = clock;
        this.json = json;
    }

    void run(RunContext context) throws InterruptedException {
        try (Prepared prepared = verification.prepare(context)) {
            if (prepared == null) return;
            if (!(prepared.plan() instanceof Plan.Verify plan)) {
                throw new IllegalStateException("the plan of a frozen input changed");
            }
            Stage stage = json.readValue(context.claim().stage(), Stage.class);
            if (!Stage.frozen(prepared.files()).equals(stage.frozen())) {
                concluding.withoutResults(
                        context,
                        Gate.broken(
                                Cause.WORK,
                                context.submission().author(),
                                "the workspace changed while it was verified"));
                return;
            }
            List<CheckResult> checks = checkResults.of(context.id());
            Instant closes =
                    clock.instant().plus(context.policy().gateBudget()).minusMillis(stage.usedMs());
            Graded graded = grade(context, prepared.files(), plan, checks, closes);
            Results results =
                    new Results(
                            null, null, checks, graded.result(), null, prepared.files().findings());
            concluding.conclude(context, prepared, plan, results, graded);
        }
    }

    private Graded grade(
            RunContext context,
            PreparedWorkspace files,
            Plan.Verify plan,
            List<CheckResult> checks,
            Instant closes)
            throws InterruptedException {
        boolean ownPassed =
                checks.stream().limit(plan.dod().checks().size()).allMatch(CheckResult::passed);
        context.journal().add(Type.GRADING, json.writeValueAsString(Map.of("status", "running")));
        Graded graded =
                grader.grade(
                        request(
                                context,
                                files,
                                plan.dod(),
                                plan.criteria(ownPassed),
                                checks,
                                closes));
        context.journal().add(Type.GRADING, json.writeValueAsString(graded.row()));
        return graded;
    }

    private GradingRequest request(
            RunContext context,
            PreparedWorkspace files,
            Dod dod,
            List<String> criteria,
            List<CheckResult> checks,
            Instant closes) {
        Submission submission = context.submission();
        Producer producer = submission.producer();
        return new GradingRequest(
                criteria,
                described(dod.deliverable()),
                new GradingRequest.Producer(producer.id(), producer.tier(), producer.model()),
                new GradingRequest.Artefact(
                        submission.finalReturnText(),
                        files.changeSet(),
                        submission.declaredOutputs(),
                        submission.cwd(),
                        frozen(files),
                        submission.runtimeEvidence()),
                checks.stream().map(GradingJob::shown).toList(),
                context.policy().grader(),
                closes);
    }

    private static FrozenFiles frozen(PreparedWorkspace files) {
        return files.treeSha256() == null
                ? FrozenFiles.NONE
                : FrozenFiles.of(files.workspace().root(), files.changeSet());
    }

    /** A path was looked for by the gate; any other deliverable is a description for the grader. */
    private static @Nullable String described(@Nullable String deliverable) {
        return deliverable == null || Deliverables.isPath(deliverable) ? null : deliverable;
    }

    private static ShownCheck shown(CheckResult check) {
        String output = check.outputTail(SHOWN_OUTPUT);
        return new ShownCheck(
                check.kind(),
                check.command(),
                check.outcome().wire(),
                check.reason(),
                output.isEmpty() ? null : output);
    }
}
