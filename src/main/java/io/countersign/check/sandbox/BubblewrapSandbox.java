package io.countersign.check.sandbox;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Runs commands in namespaces of their own: no network, no other process, and of this host's files
 * only programs and the workspace.
 */
final class BubblewrapSandbox extends LocalSandbox {
    static final String ISOLATION = "bubblewrap";

    private static final String WORKSPACE = "/workspace";
    private static final String HOME = "/tmp/home";
    private static final String SHARED_MEMORY_BYTES = Integer.toString(256 << 20);

    private final SystemView view;
    private final List<String> fixed;

    BubblewrapSandbox(Host host, Optional<Cgroups> cgroups, SandboxProperties properties) {
        super(host, cgroups, properties);
        Path etc = control.shared("etc");
        ControlDirectory.share(etc.resolve("passwd"), account());
        ControlDirectory.share(etc.resolve("group"), "commands:x:" + host.commandUid() + ":\n");
        ControlDirectory.share(
                etc.resolve("hosts"), "127.0.0.1 localhost sandbox\n::1 localhost sandbox\n");
        ControlDirectory.share(
                etc.resolve("nsswitch.conf"), "passwd: files\ngroup: files\nhosts: files\n");
        this.view = SystemView.ofThisHost(etc);
        this.fixed = fixedWords();
    }

    @Override
    public String isolation() {
        return ISOLATION;
    }

    private List<String> fixedWords() {
        List<String> words = new ArrayList<>();
        words.add(String.valueOf(host.bwrap()));
        words.addAll(List.of("--unshare-all", "--unshare-user", "--disable-userns"));
        words.addAll(List.of("--cap-drop", "ALL", "--die-with-parent", "--new-session"));
        words.addAll(List.of("--hostname", "sandbox", "--json-status-fd", "3"));
        words.addAll(view.arguments());
        words.addAll(List.of("--proc", "/proc", "--dev", "/dev"));
        words.addAll(List.of("--size", SHARED_MEMORY_BYTES, "--tmpfs", "/dev/shm"));
        words.addAll(List.of("--remount-ro", "/dev"));
        return List.copyOf(words);
    }

    /** Programs that ask for their user's home (a JVM does) find the writable one. */
    private String account() {
        String id = host.commandUid() + ":" + host.commandUid();
        return "commands:x:" + id + ":commands:" + HOME + ":/bin/sh\n";
    }

    @Override
    void prepare(Prepared run) {}

    @Override
    boolean shows(Command command, Path real) {
        return view.shows(real) || command.readOnlyBinds().stream().anyMatch(real::startsWith);
    }

    @Override
    Map<String, String> environment(Prepared run) {
        return cleanEnvironment(HOME, "/tmp");
    }

    @Override
    List<String> isolationWords(Prepared run) {
        List<String> words = new ArrayList<>(host.dropPrivileges());
        words.addAll(fixed);
        words.addAll(List.of("--size", Long.toString(temporaryBytes(run.limits()))));
        words.addAll(List.of("--tmpfs", "/tmp", "--dir", HOME));
        for (Path bind : run.command().readOnlyBinds()) {
            words.addAll(List.of("--ro-bind", bind.toString(), bind.toString()));
        }
        words.addAll(List.of("--bind", run.command().workspace().toString(), WORKSPACE));
        words.addAll(List.of("--remount-ro", "/", "--"));
        return words;
    }

    /** Files below /tmp are memory, and count as the command's where a control group counts. */
    private static long temporaryBytes(Limits limits) {
        return Math.min(limits.memory().toBytes(), limits.fileSize().toBytes());
    }

    @Override
    Path directory(Command command) {
        return Path.of(WORKSPACE).resolve(command.directory());
    }

    @Override
    String statusFile(Prepared run) {
        return run.files().status().toString();
    }

    @Override
    long coreBlocks(Prepared run) {
        return 0;
    }

    /** The namespace has its own count, which begins at nought whatever else the user runs. */
    @Override
    String processesByUser(Prepared run) {
        return Integer.toString(run.limits().processes() + OWN_PROCESSES);
    }

    @Override
    ProcessTree tree(Prepared run, Process process) {
        return new NamespaceTree(process, run.files()::firstProcess, run.cgroup(), run.limits());
    }

    /**
     * Bubblewrap writes an exit code only when the command was really started, so its absence means
     * that either bubblewrap failed or somebody killed it from outside, such as the kernel.
     */
    @Override
    Outcome read(Prepared run, int status, Ended ended) {
        OptionalInt code = run.files().exitCode();
        if (code.isPresent()) {
            return run.files().signalled()
                    ? signalled(run, code.getAsInt() & 0x7f, ended)
                    : new Outcome.Exited(code.getAsInt(), ended.output(), ended.duration());
        }
        if (status > 128) return signalled(run, status - 128, ended);
        return failed(status, run.files().complaint());
    }
}
