package io.countersign.check.sandbox;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Runs commands as plain processes of this host: bounds and a clean environment, and no isolation
 * at all. Where the kernel allows it they get a PID namespace, not to hide anything but because
 * nothing that runs in one can outlive it.
 */
final class ProcessSandbox extends LocalSandbox {
    static final String ISOLATION = "none";

    private static final String MARK = "COUNTERSIGN_RUN";

    private static final FileAttribute<Set<PosixFilePermission>> PRIVATE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    private final boolean namespace;

    /**
     * @param namespace whether commands run in a PID namespace
     */
    ProcessSandbox(
            Host host, Optional<Cgroups> cgroups, SandboxProperties properties, boolean namespace) {
        super(host, cgroups, properties);
        this.namespace = namespace;
    }

    @Override
    public String isolation() {
        return ISOLATION;
    }

    @Override
    boolean shows(Command command, Path real) {
        return true;
    }

    @Override
    void prepare(Prepared run) throws IOException {
        Path home = run.files().home();
        Files.createDirectory(home, PRIVATE);
        Files.createDirectory(temporary(run), PRIVATE);
        if (host.dropsPrivileges()) {
            Ownership.give(temporary(run), host.commandUid());
            Ownership.give(home, host.commandUid());
        }
    }

    private static Path temporary(Prepared run) {
        return run.files().home().resolve("tmp");
    }

    @Override
    Map<String, String> environment(Prepared run) {
        Map<String, String> environment =
                cleanEnvironment(run.files().home().toString(), temporary(run).toString());
        environment.put(MARK, Long.toString(run.files().number()));
        return environment;
    }

    @Override
    List<String> isolationWords(Prepared run) {
        List<String> words = new ArrayList<>();
        if (namespace) {
            words.addAll(List.of(String.valueOf(host.unshare()), "--pid", "--mount-proc"));
            words.addAll(List.of("--fork", "--kill-child=KILL"));
            if (!host.dropsPrivileges()) words.addAll(List.of("--user", "--map-current-user"));
            words.addAll(List.of("--", host.sh().toString(), "-c", Scripts.FIRST, "sandbox"));
        }
        words.addAll(host.dropPrivileges());
        return words;
    }

    @Override
    Path directory(Command command) {
        return command.workspace().resolve(command.directory());
    }

    @Override
    String statusFile(Prepared run) {
        return "";
    }

    @Override
    long coreBlocks(Prepared run) {
        return run.files().number();
    }

    /** Outside a user namespace the kernel counts whatever the user runs already. */
    @Override
    String processesByUser(Prepared run) {
        if (run.cgroup().isPresent()) return "";
        boolean countsAlone = namespace && !host.dropsPrivileges();
        int others = countsAlone ? 0 : ProcessTable.tasksOf(host.commandUid());
        return Integer.toString(others + run.limits().processes() + OWN_PROCESSES);
    }

    @Override
    ProcessTree tree(Prepared run, Process process) {
        if (namespace) {
            return new NamespaceTree(process, new FirstChild(process), run.cgroup(), run.limits());
        }
        var mark =
                new MarkedTree.Mark(MARK + "=" + run.files().number(), run.files().number() * 512L);
        return new MarkedTree(process, mark, run.cgroup(), host.dropsPrivileges(), run.limits());
    }

    /** Remembers the child, since a process that ended has none. */
    private static final class FirstChild implements Supplier<OptionalLong> {
        private final Process process;
        private OptionalLong child = OptionalLong.empty();

        FirstChild(Process process) {
            this.process = process;
        }

        @Override
        public synchronized OptionalLong get() {
            if (child.isEmpty() && process.isAlive()) {
                child = ProcessTable.firstChild(process.pid());
            }
            return child;
        }
    }

    @Override
    Outcome read(Prepared run, int status, Ended ended) {
        if (!run.files().started() && status != 0 && status <= 128) {
            return failed(status, run.files().complaint());
        }
        if (run.files().signalled()) return signalled(run, status & 0x7f, ended);
        boolean saysSignal = host.setsid() != null && run.files().started();
        if (status > 128 && !saysSignal) return signalled(run, status - 128, ended);
        return new Outcome.Exited(status, ended.output(), ended.duration());
    }
}
