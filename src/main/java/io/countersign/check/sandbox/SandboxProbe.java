package io.countersign.check.sandbox;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Finds out what works on this host by running something harmless in it. */
interface SandboxProbe {
    /** What a probe found. */
    sealed interface Result {}

    /**
     * @param how which bounds hold by which means, for the log
     */
    record Works(Sandbox sandbox, String how) implements Result {}

    /**
     * @param why for an operator
     */
    record Fails(String why) implements Result {}

    Result bubblewrap(SandboxProperties properties);

    Result process(SandboxProperties properties);

    static SandboxProbe ofThisHost() {
        return new ThisHost();
    }

    /** Tries with control groups first, then without. */
    final class ThisHost implements SandboxProbe {
        private static final Duration PATIENCE = Duration.ofSeconds(20);

        @Override
        public Result bubblewrap(SandboxProperties properties) {
            Host host = Host.detect(properties);
            if (host.bwrap() == null) return new Fails("bwrap (bubblewrap) is not installed");
            if (host.setsid() == null) return new Fails("setsid (util-linux) is not installed");
            if (host.objection().isPresent()) return new Fails(host.objection().get());
            return firstThatWorks(
                    properties, host, groups -> new BubblewrapSandbox(host, groups, properties));
        }

        @Override
        public Result process(SandboxProperties properties) {
            Host host = Host.detect(properties);
            if (host.objection().isPresent()) return new Fails(host.objection().get());
            if (host.unshare() != null) {
                Result result =
                        firstThatWorks(
                                properties,
                                host,
                                groups -> new ProcessSandbox(host, groups, properties, true));
                if (result instanceof Works) return result;
            }
            return firstThatWorks(
                    properties,
                    host,
                    groups -> new ProcessSandbox(host, groups, properties, false));
        }

        private static Result firstThatWorks(
                SandboxProperties properties,
                Host host,
                Function<Optional<Cgroups>, LocalSandbox> backend) {
            Optional<Cgroups> groups = Cgroups.find(properties);
            if (groups.isPresent()) {
                LocalSandbox sandbox = backend.apply(groups);
                if (check(sandbox).isEmpty()) return new Works(sandbox, how(host, true));
                sandbox.close();
            }
            LocalSandbox sandbox = backend.apply(Optional.empty());
            Optional<String> problem = check(sandbox);
            if (problem.isEmpty()) return new Works(sandbox, how(host, false));
            sandbox.close();
            return new Fails(problem.get());
        }

        private static String how(Host host, boolean cgroups) {
            return (cgroups ? "bounds by control group" : "bounds by resource limits")
                    + (host.dropsPrivileges() ? ", commands run as user " + host.commandUid() : "");
        }

        /** An exit code and a signal must both come through as what they are. */
        private static Optional<String> check(LocalSandbox sandbox) {
            try {
                Path workspace = Files.createTempDirectory("countersign-probe-");
                try {
                    Outcome exit = run(sandbox, workspace, "exit 7");
                    if (!(exit instanceof Outcome.Exited(int code, var _, var _)) || code != 7) {
                        return Optional.of(problem(sandbox, "a command that exits with 7", exit));
                    }
                    Outcome signal = run(sandbox, workspace, "kill -9 $$");
                    if (signal instanceof Outcome.Signalled) return Optional.empty();
                    return Optional.of(problem(sandbox, "a command that a signal ends", signal));
                } finally {
                    ControlDirectory.deleteTree(workspace);
                }
            } catch (IOException e) {
                return Optional.of("no temporary directory: " + e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return Optional.of("interrupted");
            }
        }

        private static Outcome run(LocalSandbox sandbox, Path workspace, String script)
                throws InterruptedException {
            var argv = List.of("sh", "-c", script);
            var command = new Command(argv, workspace, "", List.of(), Map.of(), null);
            return sandbox.run(command, Limits.of(PATIENCE));
        }

        private static String problem(LocalSandbox sandbox, String what, Outcome outcome) {
            String seen =
                    switch (outcome) {
                        case Outcome.Exited(int code, var _, var _) -> "exit code " + code;
                        case Outcome.TimedOut(var _, var _) -> "no end";
                        case Outcome.Signalled(var _, String reason, var _, var _) -> reason;
                        case Outcome.NotStarted(String reason, var _) ->
                                reason + " (" + sandbox.lastComplaint() + ")";
                    };
            return "the probe failed: " + what + " gave: " + seen;
        }
    }
}
