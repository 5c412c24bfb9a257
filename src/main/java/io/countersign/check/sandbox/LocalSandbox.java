package io.countersign.check.sandbox;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.File;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** What the backends that run processes on this host have in common. */
abstract class LocalSandbox implements Sandbox, AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(LocalSandbox.class);

    /** What the service's own locale can pass to a process. */
    private static final Charset ARGUMENTS =
            Charset.forName(System.getProperty("sun.jnu.encoding", "UTF-8"));

    /** The namespace's own processes, which do not count as the command's. */
    static final int OWN_PROCESSES = 4;

    final Host host;
    final ControlDirectory control;
    private final Optional<Cgroups> cgroups;
    private final SandboxProperties properties;
    private final BindRoots bindRoots;
    private final Set<ProcessTree> active = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;
    private volatile String lastComplaint = "";

    LocalSandbox(Host host, Optional<Cgroups> cgroups, SandboxProperties properties) {
        this.host = host;
        this.cgroups = cgroups;
        this.properties = properties;
        this.bindRoots = new BindRoots(properties.bindRoots());
        this.control = ControlDirectory.create();
    }

    /**
     * One run before it starts.
     *
     * @param program the program as it is found inside
     */
    record Prepared(
            Command command,
            String program,
            Limits limits,
            RunFiles files,
            Optional<Cgroup> cgroup) {}

    /** Makes what the run needs on this host; it is deleted with the run's files. */
    abstract void prepare(Prepared run) throws IOException;

    /** Whether a program that really lies there can be run. */
    abstract boolean shows(Command command, Path real);

    /** The clean environment; nothing of the service's own is in it. */
    abstract Map<String, String> environment(Prepared run);

    /** The words between the outer script and the command's own user and supervisor. */
    abstract List<String> isolationWords(Prepared run);

    /** Where the command runs, as it is called inside. */
    abstract Path directory(Command command);

    /** The path of the file for bubblewrap's status; empty where there is none. */
    abstract String statusFile(Prepared run);

    /** The hard bound of core files in 512-byte blocks; the soft one is always 0. */
    abstract long coreBlocks(Prepared run);

    /** The bound on processes by user; empty when another one holds. */
    abstract String processesByUser(Prepared run);

    abstract ProcessTree tree(Prepared run, Process process);

    /** Reads how the command ended where the started process ended by itself. */
    abstract Outcome read(Prepared run, int status, Ended ended);

    @Override
    public final Limits limits(Duration wall) {
        return properties.limits(wall);
    }

    @Override
    public final Outcome run(Command command, Limits limits) throws InterruptedException {
        if (Thread.interrupted()) throw new InterruptedException();
        Optional<String> objection = objection(command);
        if (objection.isPresent()) return new Outcome.NotStarted(objection.get(), false);
        String name = command.argv().getFirst();
        Optional<String> program = Programs.find(name, real -> shows(command, real));
        if (program.isEmpty()) {
            return new Outcome.NotStarted("program not found: " + name, true);
        }
        Optional<Cgroup> cgroup = lease(limits);
        try (RunFiles files = control.newRun()) {
            handOver(command.workspace());
            var run = new Prepared(command, program.get(), limits, files, cgroup);
            prepare(run);
            return supervise(run);
        } catch (IOException e) {
            return failed(-1, e.toString());
        } finally {
            cgroup.ifPresent(lent -> cgroups.orElseThrow().release(lent));
        }
    }

    /** The complaint is for the log alone: the outcome's reason is shown to callers. */
    Outcome.NotStarted failed(int status, String complaint) {
        log.error("the sandbox failed with status {}: {}", status, complaint);
        lastComplaint = complaint;
        return new Outcome.NotStarted("the sandbox could not start the command", false);
    }

    private Optional<String> objection(Command command) {
        if (closed) return Optional.of("the service is shutting down");
        if (!Files.isDirectory(command.workspace())) return Optional.of("there is no workspace");
        var encoder = ARGUMENTS.newEncoder();
        if (!command.argv().stream().allMatch(encoder::canEncode)) {
            return Optional.of(
                    "the service's locale cannot pass the command's characters to a process: start"
                            + " it with LANG=C.UTF-8");
        }
        return bindRoots.objection(command.readOnlyBinds());
    }

    private Optional<Cgroup> lease(Limits limits) {
        if (cgroups.isEmpty()) return Optional.empty();
        try {
            return Optional.of(cgroups.get().lease(limits));
        } catch (IOException e) {
            log.warn("no control group for this run, its bounds are kept another way: {}", e + "");
            return Optional.empty();
        }
    }

    /** A command may have closed its own workspace to itself, or it was never handed over. */
    private void handOver(Path workspace) throws IOException {
        if (host.dropsPrivileges()) Ownership.handOver(workspace, host.commandUid());
        Ownership.open(workspace);
    }

    private Outcome supervise(Prepared run) throws IOException, InterruptedException {
        Process process = Launcher.start(builder(run));
        ProcessTree tree = tree(run, process);
        active.add(tree);
        try {
            if (closed) tree.kill();
            Ended ended = new Supervision(process, tree, run.command(), run.limits()).toItsEnd();
            return switch (ended.how()) {
                case Ended.AtDeadline() ->
                        new Outcome.TimedOut(run.limits().wall(), ended.output());
                case Ended.AtLimit(String limit) ->
                        new Outcome.Signalled(
                                LimitTexts.KILL, limit, ended.output(), ended.duration());
                case Ended.ByItself(int status) -> read(run, status, ended);
            };
        } finally {
            active.remove(tree);
        }
    }

    static Outcome signalled(Prepared run, int signal, Ended ended) {
        return new Outcome.Signalled(
                signal, LimitTexts.signal(signal, run.limits()), ended.output(), ended.duration());
    }

    private ProcessBuilder builder(Prepared run) {
        var builder = new ProcessBuilder(words(run));
        builder.environment().clear();
        builder.environment().putAll(environment(run));
        builder.directory(new File("/"));
        builder.redirectInput(new File("/dev/null"));
        return builder;
    }

    private List<String> words(Prepared run) {
        Command command = run.command();
        List<String> words = new ArrayList<>(outerWords(run));
        words.addAll(isolationWords(run));
        if (host.setsid() != null) {
            words.addAll(List.of(host.setsid().toString(), "-f", "-w"));
        }
        words.addAll(List.of(host.sh().toString(), "-c", Scripts.INNER, "sandbox"));
        words.add(processesByUser(run));
        words.add(directory(command).toString());
        words.add(Integer.toString(command.environment().size()));
        command.environment().forEach((name, value) -> words.add(name + "=" + value));
        words.add(run.program());
        words.addAll(command.argv().subList(1, command.argv().size()));
        return words;
    }

    private List<String> outerWords(Prepared run) {
        Limits limits = run.limits();
        long cpuSeconds = limits.cpu().plusMillis(999).toSeconds();
        boolean memoryIsBound = run.cgroup().map(Cgroup::boundsMemory).orElse(false);
        List<String> words =
                new ArrayList<>(List.of(host.sh().toString(), "-c", Scripts.OUTER, "sandbox"));
        words.add(run.files().note().toString());
        words.add(statusFile(run));
        words.add(Long.toString(coreBlocks(run)));
        words.add(memoryIsBound ? "" : Long.toString(limits.memory().toKilobytes()));
        words.add(Long.toString(cpuSeconds));
        words.add(Long.toString(cpuSeconds + 2));
        words.add(Long.toString(Math.max(1, limits.fileSize().toBytes() / 512)));
        words.add("16384");
        run.cgroup()
                .ifPresent(group -> group.joinFiles().forEach(file -> words.add(file.toString())));
        words.add("--");
        return words;
    }

    static Map<String, String> cleanEnvironment(String home, String tmp) {
        Map<String, String> environment = new HashMap<>();
        environment.put("PATH", Programs.PATH);
        environment.put("HOME", home);
        environment.put("TMPDIR", tmp);
        environment.put("CI", "true");
        environment.put("NO_COLOR", "1");
        environment.put("TERM", "dumb");
        environment.put("LANG", "C.UTF-8");
        return environment;
    }

    /** Why a command last failed to start, for an operator; empty when none did. */
    String lastComplaint() {
        return lastComplaint;
    }

    /** Ends whatever still runs. */
    @Override
    public void close() {
        closed = true;
        active.forEach(ProcessTree::kill);
        control.close();
        cgroups.ifPresent(Cgroups::close);
    }
}
