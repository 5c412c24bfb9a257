package io.countersign.check;

import io.countersign.check.sandbox.Sandbox;
import io.countersign.dod.Check;
import io.countersign.kernel.Cause;
import io.countersign.kernel.Spans;
import io.micrometer.core.instrument.MeterRegistry;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Evaluates the checks of a DoD: cheap kinds before dear ones, one after the other, each within its
 * own time-box and the gate's budget. Fail closed: whatever cannot be shown to hold does not pass.
 * Safe for use by many threads.
 */
@Component
public class Checks {
    private static final Logger log = LoggerFactory.getLogger(Checks.class);

    private final CommandRunner runner;
    private final InstantSource clock;
    private final MeterRegistry meters;
    private final Spans spans;

    public Checks(Sandbox sandbox, InstantSource clock, MeterRegistry meters, Spans spans) {
        this.runner = new CommandRunner(sandbox);
        this.clock = clock;
        this.meters = meters;
        this.spans = spans;
    }

    /**
     * What must stop the checks before anything runs: malformed checks and commands that the policy
     * refuses. Reads the workspace (for default commands) and runs nothing.
     *
     * @return empty when every check may run; else one result for each check, in DoD order: failed
     *     (cause dod) for a malformed one, refused (cause policy) for a refused one, not run for
     *     the others
     */
    public List<CheckResult> preflight(List<Check> checks, CheckContext context) {
        return stops(Planned.all(checks, context));
    }

    private static List<CheckResult> stops(List<Planned> plan) {
        if (plan.stream().noneMatch(check -> check.stop() != null)) return List.of();
        Evaluation idle = Evaluation.notRun("not run, since another check is refused or malformed");
        return plan.stream()
                .map(check -> check.result(Objects.requireNonNullElse(check.stop(), idle)))
                .toList();
    }

    /**
     * Runs the checks, or, when {@link #preflight} stops any, none of them.
     *
     * @param onEnd is told of each result as it comes, in the order of evaluation, on this thread
     * @return one result for each check, in DoD order
     * @throws InterruptedException when the thread is interrupted; every process has ended then
     */
    public List<CheckResult> run(
            List<Check> checks, CheckContext context, Consumer<CheckResult> onEnd)
            throws InterruptedException {
        List<Planned> plan = Planned.all(checks, context);
        List<CheckResult> stops = stops(plan);
        if (!stops.isEmpty()) {
            stops.forEach(onEnd);
            return stops;
        }
        CheckResult[] results = new CheckResult[plan.size()];
        int failedTier = Integer.MAX_VALUE;
        for (Planned check : Planned.cheapFirst(plan)) {
            CheckResult result = traced(check, context, failedTier);
            boolean stopsLater = context.policy().failFast() && !result.passed();
            if (stopsLater) failedTier = Math.min(failedTier, check.tier());
            results[check.index()] = result;
            meters.timer(
                            "countersign.checks",
                            "kind",
                            result.kind(),
                            "outcome",
                            result.outcome().wire())
                    .record(result.duration());
            onEnd.accept(result);
        }
        return List.copyOf(Arrays.asList(results));
    }

    private CheckResult traced(Planned check, CheckContext context, int failedTier)
            throws InterruptedException {
        try (Spans.Open span = spans.open("check " + check.kind())) {
            span.tag("countersign.check.kind", check.kind())
                    .tag("countersign.check.index", Integer.toString(check.index()));
            CheckResult result = run(check, context, failedTier);
            span.tag(Spans.OUTCOME, result.outcome().wire());
            return result;
        }
    }

    private CheckResult run(Planned check, CheckContext context, int failedTier)
            throws InterruptedException {
        if (check.tier() > failedTier) {
            return check.result(
                    Evaluation.notRun("not run, since a cheaper check failed (checks.fail-fast)"));
        }
        Instant started = clock.instant();
        if (!started.isBefore(context.closesAt())) {
            return check.result(Evaluation.notRun("not run, since the gate budget has closed"));
        }
        Evaluation evaluation = evaluate(check, context, started);
        Duration took = Duration.between(started, clock.instant());
        return check.result(evaluation, took.isNegative() ? Duration.ZERO : took);
    }

    private Evaluation evaluate(Planned check, CheckContext context, Instant started)
            throws InterruptedException {
        Duration box = check.box(context.policy());
        boolean atGate = started.plus(box).isAfter(context.closesAt());
        if (atGate) box = Duration.between(started, context.closesAt());
        try {
            return evaluate(check, context, box, atGate);
        } catch (Watch.OutOfTime e) {
            if (Thread.interrupted()) throw new InterruptedException();
            return Evaluation.not(
                    CheckOutcome.TIMED_OUT, "timed out after " + box.toMillis() + "ms", Cause.WORK);
        } catch (RuntimeException | StackOverflowError | LinkageError e) {
            log.error("A check of kind {} could not be evaluated", check.kind(), e);
            return Evaluation.errored("it could not be evaluated (see the service's log)");
        }
    }

    private Evaluation evaluate(Planned planned, CheckContext context, Duration box, boolean atGate)
            throws InterruptedException {
        Watch watch = new Watch(clock, clock.instant().plus(box));
        return switch (planned.check()) {
            case Check.FileExists check -> FileExistsCheck.evaluate(check, context);
            case Check.FileAbsent check -> FileAbsentCheck.evaluate(check, context);
            case Check.FileContains check -> FileContainsCheck.evaluate(check, context, watch);
            case Check.SchemaMatch check -> SchemaMatchCheck.evaluate(check, context, watch);
            case Check.OnlyChanged check -> OnlyChangedCheck.evaluate(check, context.changeSet());
            case Check.Unchanged check -> UnchangedCheck.evaluate(check, context.changeSet());
            case Check.ToolCalled check -> holds(EvidenceCheck.unmet(check, context.evidence()));
            case Check.ToolNotCalled check -> holds(EvidenceCheck.unmet(check, context.evidence()));
            case Check.EvidenceComplete check ->
                    holds(EvidenceCheck.unmet(check, context.evidence()));
            case Check.FailToPass check -> BaseComparison.NOT_AVAILABLE;
            case Check.PassToPass check -> BaseComparison.NOT_AVAILABLE;
            case Check.Malformed check -> Planned.malformed(check);
            case Check.Runs check -> command(check, planned.job(context, box, atGate), watch);
        };
    }

    private static Evaluation holds(Optional<String> unmet) {
        return unmet.map(Evaluation::failed).orElse(Evaluation.PASSED);
    }

    private Evaluation command(Check.Runs check, Job job, Watch watch) throws InterruptedException {
        Evaluation evaluation =
                switch (check) {
                    case Check.Run run -> RunCheck.evaluate(run, job, runner);
                    case Check.TestsPass tests ->
                            TestsPassCheck.evaluate(tests, job, runner, watch);
                    case Check.BuildPasses build -> ExitCodeCheck.evaluate(job, runner);
                    case Check.LintClean lint -> ExitCodeCheck.evaluate(job, runner);
                    case Check.FailToPass later -> BaseComparison.NOT_AVAILABLE;
                    case Check.PassToPass later -> BaseComparison.NOT_AVAILABLE;
                };
        return evaluation.and(Findings.of(job.context().changeSet()));
    }

    /**
     * Runs a project's setup step.
     *
     * @param command as configured; it must be on the allowlist too
     * @param timeout its own time-box; positive
     * @param altered names the frozen files that are others by now; asked after the step
     * @throws InterruptedException when the thread is interrupted; every process has ended then
     */
    public SetupResult setup(
            String command, Duration timeout, CheckContext context, Supplier<List<String>> altered)
            throws InterruptedException {
        try (Spans.Open span = spans.open("setup")) {
            SetupResult result =
                    new SetupStep(runner, clock).run(command, timeout, context, altered);
            span.tag(Spans.OUTCOME, result.outcome().wire());
            return result;
        }
    }
}
