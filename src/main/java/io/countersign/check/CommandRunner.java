package io.countersign.check;

import io.countersign.artefact.Workspace;
import io.countersign.check.sandbox.Command;
import io.countersign.check.sandbox.Outcome;
import io.countersign.check.sandbox.Output;
import io.countersign.check.sandbox.Sandbox;
import io.countersign.kernel.Cause;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Runs the commands of checks in the sandbox. What the command can bring about (a time-out, a
 * signal, a flood) is the work's fault; a missing tool or a broken sandbox is the server's.
 */
final class CommandRunner {
    private static final Pattern WATCHING =
            Pattern.compile(
                    "(?i)waiting for file changes|watching for (?:file )?changes|watch usage"
                            + "|press .{1,20} to (?:rerun|quit)|watch mode");

    private final Sandbox sandbox;

    CommandRunner(Sandbox sandbox) {
        this.sandbox = sandbox;
    }

    /** How a command came to its end. */
    sealed interface Run {
        /** By itself. */
        record Ended(int code, Output output, Evaluation.Process process) implements Run {
            /** The exit code as a reason: {@code command exited 1: npm test}. */
            String exited(Job job) {
                return "command exited " + code + ": " + job.shown();
            }
        }

        /** Otherwise, which decides the check. */
        record Stopped(Evaluation evaluation) implements Run {}
    }

    /**
     * @throws InterruptedException when the thread is interrupted; the process tree has ended then
     */
    Run run(Job job, @Nullable String expect) throws InterruptedException {
        Workspace workspace = job.context().workspace();
        if (workspace == null) {
            return new Run.Stopped(
                    Evaluation.failed("there is no workspace to run in: " + job.shown()));
        }
        var command =
                new Command(
                        job.argv(),
                        workspace.root(),
                        workspace.cwd(),
                        job.context().policy().readOnlyBinds(),
                        Map.of(),
                        expect);
        return switch (sandbox.run(command, sandbox.limits(job.box()))) {
            case Outcome.Exited exited ->
                    new Run.Ended(
                            exited.code(),
                            exited.output(),
                            process(exited.code(), exited.output()));
            case Outcome.TimedOut timedOut -> stopped(timedOut(job), timedOut.output());
            case Outcome.Signalled signalled ->
                    stopped(Evaluation.failed(killed(signalled, job)), signalled.output());
            case Outcome.NotStarted notStarted -> new Run.Stopped(notStarted(notStarted, job));
        };
    }

    private Evaluation.Process process(@Nullable Integer code, Output output) {
        return new Evaluation.Process(
                code,
                sandbox.isolation(),
                Captures.text(output.stdout()),
                Captures.text(output.stderr()));
    }

    private Run stopped(Evaluation evaluation, Output output) {
        Evaluation.Process process = process(null, output);
        boolean watching =
                evaluation.outcome() == CheckOutcome.TIMED_OUT
                        && (looksLikeWatching(process.stdout())
                                || looksLikeWatching(process.stderr()));
        String hint = watching ? " (it looks like watch mode)" : "";
        return new Run.Stopped(
                Evaluation.not(evaluation.outcome(), evaluation.reason() + hint, Cause.WORK)
                        .of(process));
    }

    private static boolean looksLikeWatching(CapturedText output) {
        String text = output.text();
        return WATCHING.matcher(text.substring(Math.max(0, text.length() - 4_096))).find();
    }

    private static Evaluation timedOut(Job job) {
        String box = job.atGate() ? " (all that was left of the gate budget)" : "";
        return Evaluation.not(
                CheckOutcome.TIMED_OUT,
                "command timed out after " + job.box().toMillis() + "ms" + box + ": " + job.shown(),
                Cause.WORK);
    }

    private static String killed(Outcome.Signalled signalled, Job job) {
        String reason = signalled.reason();
        String how = reason.startsWith("killed ") ? reason : "was killed (" + reason + ")";
        return "command " + how + ": " + job.shown();
    }

    /** A wrapper is a file of the workspace: that it is missing is the work's fault. */
    private static Evaluation notStarted(Outcome.NotStarted notStarted, Job job) {
        String program = job.argv().getFirst();
        if (!notStarted.programMissing()) {
            return Evaluation.errored("the sandbox failed: " + notStarted.reason());
        }
        String reason = "program not found: " + program;
        return program.startsWith("./") ? Evaluation.failed(reason) : Evaluation.errored(reason);
    }

    /** The script that a package manager did not find, as a reason's end; else empty. */
    static String missingScript(Evaluation.Process process) {
        return List.of(process.stderr(), process.stdout()).stream()
                .flatMap(output -> output.text().lines().limit(200))
                .map(MISSING_SCRIPT::matcher)
                .filter(java.util.regex.Matcher::find)
                .map(found -> " (missing script: " + found.group(1) + ")")
                .findFirst()
                .orElse("");
    }

    private static final Pattern MISSING_SCRIPT =
            Pattern.compile(
                    "^(?:npm (?:error|ERR!) |.{0,20}ERR_PNPM_NO_SCRIPT.{0,4})?[Mm]issing script:"
                            + " *[\"']?([\\w:.-]{1,80})");
}
