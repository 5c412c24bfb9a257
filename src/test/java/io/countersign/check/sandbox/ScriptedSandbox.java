package io.countersign.check.sandbox;

import io.countersign.kernel.Sha256;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * A sandbox that runs nothing and answers what a test scripted. Commands are told apart by their
 * words joined with blanks; a command without an answer is an error of the test.
 */
public final class ScriptedSandbox implements Sandbox {
    /** What was asked for. */
    public record Run(Command command, Limits limits) {}

    private final Map<String, Function<Command, Outcome>> answers = new LinkedHashMap<>();
    private final List<Run> runs = new ArrayList<>();
    private String isolation = "bubblewrap";

    public ScriptedSandbox isolation(String isolation) {
        this.isolation = isolation;
        return this;
    }

    /** The command ends by itself, having written these. */
    public ScriptedSandbox exits(String command, int code, String stdout, String stderr) {
        return answers(command, run -> exited(run, code, stdout, stderr));
    }

    public ScriptedSandbox exits(String command, int code, String stdout) {
        return exits(command, code, stdout, "");
    }

    public ScriptedSandbox timesOut(String command, Duration limit, String stdout) {
        return answers(command, run -> new Outcome.TimedOut(limit, output(run, stdout, "")));
    }

    public ScriptedSandbox isSignalled(String command, int signal, String reason) {
        return answers(
                command,
                run -> new Outcome.Signalled(signal, reason, output(run, "", ""), Duration.ZERO));
    }

    public ScriptedSandbox isMissing(String command) {
        return answers(
                command,
                run -> new Outcome.NotStarted("program not found: " + run.argv().getFirst(), true));
    }

    public ScriptedSandbox isBroken(String command) {
        return answers(
                command,
                run -> new Outcome.NotStarted("the sandbox could not start the command", false));
    }

    /** An answer that may also do something, such as write a report into the workspace. */
    public synchronized ScriptedSandbox answers(String command, Function<Command, Outcome> answer) {
        answers.put(command, answer);
        return this;
    }

    /** What was run, in order. */
    public synchronized List<Run> runs() {
        return List.copyOf(runs);
    }

    /** The commands that were run, in order. */
    public List<String> commands() {
        return runs().stream().map(run -> String.join(" ", run.command().argv())).toList();
    }

    @Override
    public String isolation() {
        return isolation;
    }

    @Override
    public Outcome run(Command command, Limits limits) throws InterruptedException {
        if (Thread.interrupted()) throw new InterruptedException();
        return next(command, limits).apply(command);
    }

    private synchronized Function<Command, Outcome> next(Command command, Limits limits) {
        runs.add(new Run(command, limits));
        String words = String.join(" ", command.argv());
        Function<Command, Outcome> answer = answers.get(words);
        if (answer == null) throw new AssertionError("no answer is scripted for: " + words);
        return answer;
    }

    /** An outcome as the real sandbox would give it for this output. */
    public static Outcome.Exited exited(Command command, int code, String stdout, String stderr) {
        return new Outcome.Exited(code, output(command, stdout, stderr), Duration.ofMillis(5));
    }

    private static Output output(Command command, String stdout, String stderr) {
        String expect = command.expect();
        boolean found = expect != null && (stdout.contains(expect) || stderr.contains(expect));
        return new Output(captured(stdout), captured(stderr), found);
    }

    /** A stream of which nothing was cut. */
    public static Captured captured(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return new Captured(bytes, new byte[0], bytes.length, Sha256.of(bytes));
    }
}
