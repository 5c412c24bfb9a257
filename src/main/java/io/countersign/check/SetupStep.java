package io.countersign.check;

import io.countersign.kernel.Cause;
import io.countersign.scrub.Clean;
import io.countersign.scrub.Scrubber;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Supplier;

/**
 * A project's setup step. It is the administrator's command: its failure is the server's unless the
 * change-set may have brought it about.
 */
final class SetupStep {
    private final CommandRunner runner;
    private final InstantSource clock;

    SetupStep(CommandRunner runner, InstantSource clock) {
        this.runner = runner;
        this.clock = clock;
    }

    SetupResult run(
            String command, Duration timeout, CheckContext context, Supplier<List<String>> altered)
            throws InterruptedException {
        return switch (CommandPolicy.read(command, context.policy().allowlist())) {
            case CommandReading.Refused(String reason) ->
                    result(
                            command,
                            Evaluation.not(CheckOutcome.REFUSED, reason, Cause.POLICY),
                            Duration.ZERO);
            case CommandReading.Allowed(List<String> argv) -> {
                Instant started = clock.instant();
                Evaluation evaluation = evaluate(new Job(command, argv, context, timeout, false));
                if (evaluation.outcome() == CheckOutcome.PASSED) {
                    evaluation = unlessAltered(evaluation, altered.get());
                }
                yield result(command, evaluation, Duration.between(started, clock.instant()));
            }
        };
    }

    private Evaluation evaluate(Job job) throws InterruptedException {
        Evaluation evaluation = ExitCodeCheck.evaluate(job, runner);
        String reason = evaluation.reason();
        if (reason == null) return evaluation;
        boolean steered = Findings.steersSetup(job.context().changeSet(), job.argv());
        boolean server = evaluation.cause() == Cause.INFRASTRUCTURE || !steered;
        Evaluation judged =
                Evaluation.not(
                        evaluation.outcome(), reason, server ? Cause.INFRASTRUCTURE : Cause.WORK);
        return evaluation.process() == null ? judged : judged.of(evaluation.process());
    }

    /**
     * The step runs scripts of the workspace, and the checks after it are to judge what was frozen.
     * Lock files are left out: installing rewrites them.
     */
    private static Evaluation unlessAltered(Evaluation passed, List<String> altered) {
        List<String> files = altered.stream().filter(path -> !Findings.isLockFile(path)).toList();
        if (files.isEmpty()) return passed;
        Evaluation failed =
                Evaluation.failed(
                        "the setup step changed files of the workspace: "
                                + OnlyChangedCheck.some(files));
        return passed.process() == null ? failed : failed.of(passed.process());
    }

    private static SetupResult result(String command, Evaluation evaluation, Duration took) {
        Evaluation.Process process = evaluation.process();
        String reason = evaluation.reason();
        return new SetupResult(
                Scrubber.scrub(command),
                evaluation.outcome(),
                reason == null ? null : Clean.line(reason, Evaluation.MAX_REASON),
                evaluation.cause(),
                process == null ? null : process.exitCode(),
                took.isNegative() ? Duration.ZERO : took,
                process == null ? null : process.isolation(),
                process == null ? null : process.stdout(),
                process == null ? null : process.stderr());
    }
}
