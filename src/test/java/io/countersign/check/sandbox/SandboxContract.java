package io.countersign.check.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.countersign.kernel.Sha256;
import io.countersign.support.Lanes;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.util.unit.DataSize;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * What every backend promises. Set {@code -Dcountersign.sandbox.runs=10000} for the long leak test.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class SandboxContract {
    /** Makes the arguments of {@code sleep} unique, so that a test finds its own processes. */
    private static final AtomicInteger NAPS =
            new AtomicInteger((int) (100_000 + ProcessHandle.current().pid() % 5000 * 1000));

    private static final Map<String, String> SETTINGS =
            Map.of(
                    "countersign.sandbox.bind-roots", "/usr/share",
                    "countersign.sandbox.limits.processes", "300");

    static final Duration WALL = Duration.ofSeconds(20);
    private static final Duration SHORT = Duration.ofSeconds(1);

    LocalSandbox sandbox;
    @TempDir Path temporary;
    Path workspace;

    /** Opens the backend, or says why it does not work on this host. */
    abstract SandboxProbe.Result open(SandboxProperties properties);

    static SandboxProperties properties(Map<String, String> values) {
        return new Binder(new MapConfigurationPropertySource(values))
                .bindOrCreate("countersign.sandbox", SandboxProperties.class);
    }

    /** Tests a variant of a backend directly, past the probe's order of preference. */
    static SandboxProbe.Result variant(LocalSandbox sandbox, String how) {
        return new SandboxProbe.Works(sandbox, how);
    }

    @BeforeAll
    void openSandbox() {
        switch (open(properties(SETTINGS))) {
            case SandboxProbe.Works(Sandbox opened, String how) -> {
                sandbox = (LocalSandbox) opened;
                Lanes.note(opened.isolation().equals("none") ? "process" : "bubblewrap", "ran");
            }
            case SandboxProbe.Fails(String why) -> {
                Lanes.note(getClass().getSimpleName(), "skipped: " + why);
                assumeTrue(false, getClass().getSimpleName() + " is skipped here: " + why);
            }
        }
    }

    @AfterAll
    void closeSandbox() {
        if (sandbox != null) sandbox.close();
    }

    @BeforeEach
    void freshWorkspace() throws IOException {
        // The command's user must be able to go through what JUnit closed to others.
        Files.setPosixFilePermissions(temporary, PosixFilePermissions.fromString("rwx--x--x"));
        workspace = Files.createDirectory(temporary.resolve("workspace"));
        Files.writeString(workspace.resolve("file.txt"), "content");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 9, 15, 125, 126, 127, 128, 130, 137, 139, 141, 143, 255})
    void tellsEveryExitCodeAsItIs(int code) throws Exception {
        assertThat(shell("exit " + code))
                .isInstanceOfSatisfying(
                        Outcome.Exited.class, exited -> assertThat(exited.code()).isEqualTo(code));
    }

    @ParameterizedTest
    @CsvSource({"HUP,1", "INT,2", "ABRT,6", "KILL,9", "SEGV,11", "PIPE,13", "TERM,15"})
    void tellsASignalFromAnExitCode(String name, int signal) throws Exception {
        assertThat(shell("kill -" + name + " $$"))
                .isInstanceOfSatisfying(
                        Outcome.Signalled.class,
                        signalled -> {
                            assertThat(signalled.signal()).isEqualTo(signal);
                            assertThat(signalled.reason()).startsWith("killed by signal " + signal);
                        });
    }

    @Test
    void saysThatAProgramIsMissing() throws Exception {
        assertThat(run(List.of("no-such-program", "x"), WALL))
                .isEqualTo(new Outcome.NotStarted("program not found: no-such-program", true));
    }

    @Test
    void neverLooksForAProgramInTheWorkspace() throws Exception {
        executable("npm-of-the-work", "#!/bin/sh\necho gotcha\n");
        assertThat(run(List.of("npm-of-the-work"), WALL)).isInstanceOf(Outcome.NotStarted.class);
        assertThat(run(List.of("workspace/npm-of-the-work"), WALL))
                .isInstanceOf(Outcome.NotStarted.class);
    }

    @Test
    void runsAWrapperOfTheWorkspaceAndCountsAMissingOneAsAFailure() throws Exception {
        executable("mvnw", "#!/bin/sh\necho \"wrapped $1\"\n");
        assertThat(stdout(run(List.of("./mvnw", "x"), WALL))).isEqualTo("wrapped x\n");
        assertThat(run(List.of("./gradlew", "x"), WALL))
                .isInstanceOfSatisfying(
                        Outcome.Exited.class, exited -> assertThat(exited.code()).isEqualTo(127));
    }

    @Test
    void passesWordsAsTheyAre() throws Exception {
        List<String> words =
                List.of("a b", "$HOME", "'", "\"", "*", "", "über 日本 🚀", "-n", "x\ny");
        List<String> argv = new ArrayList<>(List.of("sh", "-c", "printf '%s|' \"$@\"", "sh"));
        argv.addAll(words);
        assertThat(stdout(run(argv, WALL))).isEqualTo(String.join("|", words) + "|");
    }

    @Test
    void givesACleanEnvironmentAndNothingOfTheServices() throws Exception {
        Map<String, String> environment =
                stdout(run(List.of("env", "-0"), WALL)).transform(SandboxContract::variables);
        assertThat(environment)
                .containsEntry("PATH", "/usr/local/bin:/usr/bin:/bin")
                .containsEntry("CI", "true")
                .containsEntry("NO_COLOR", "1")
                .containsEntry("TERM", "dumb")
                .containsEntry("LANG", "C.UTF-8")
                .containsKeys("HOME", "TMPDIR");
        assertThat(environment.keySet())
                .isSubsetOf(
                        "PATH",
                        "HOME",
                        "TMPDIR",
                        "CI",
                        "NO_COLOR",
                        "TERM",
                        "LANG",
                        "PWD",
                        "OLDPWD",
                        "COUNTERSIGN_RUN",
                        "SHLVL",
                        "_");
    }

    private static Map<String, String> variables(String output) {
        return Stream.of(output.split("\0"))
                .map(variable -> variable.split("=", 2))
                .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1]));
    }

    @Test
    void passesTheCommandsOwnVariables() throws Exception {
        var variables = Map.of("A_B", "two words; $(id) `id`", "LD_PRELOAD_X", "line\nline");
        var command = new Command(List.of("env", "-0"), workspace, "", List.of(), variables, null);
        assertThat(variables(stdout(sandbox.run(command, Limits.of(WALL)))))
                .containsAllEntriesOf(variables);
    }

    @Test
    void givesAWritableHomeAndTemporaryDirectoryThatEndWithTheRun() throws Exception {
        String script =
                "cd && pwd && echo x >$HOME/a && echo y >$TMPDIR/b && cat $HOME/a $TMPDIR/b"
                        + " && ls -A $HOME | grep -v tmp; mktemp";
        assertThat(stdout(shell(script))).contains("x\ny\na\n");
        assertThat(stdout(shell("ls -A $HOME; cat $HOME/a $TMPDIR/b"))).doesNotContain("x", "y");
    }

    @Test
    void givesAnEmptyInput() throws Exception {
        assertThat(stdout(shell("cat; read line || echo end"))).isEqualTo("end\n");
    }

    @Test
    void passesNoDescriptorsButTheThreeStreams() throws Exception {
        assertThat(stdout(shell("for fd in /proc/self/fd/*; do echo ${fd##*/}; done")).lines())
                .filteredOn(fd -> Integer.parseInt(fd) > 2)
                // The shell's own, for reading the directory.
                .hasSizeLessThanOrEqualTo(1);
    }

    @Test
    void runsInTheDirectoryThatIsAskedFor() throws Exception {
        Files.createDirectories(workspace.resolve("packages/a"));
        assertThat(stdout(in("packages/a", "pwd"))).endsWith("/packages/a\n");
        assertThat(in("packages/gone", "pwd"))
                .isInstanceOfSatisfying(
                        Outcome.Exited.class, exited -> assertThat(exited.code()).isEqualTo(126));
    }

    @Test
    void sharesTheWorkspaceWithTheService() throws Exception {
        Files.createDirectory(workspace.resolve("deep"));
        Files.writeString(workspace.resolve("deep/in.txt"), "in");
        assertThat(shell("cat deep/in.txt && echo out >deep/out.txt && rm file.txt"))
                .isInstanceOf(Outcome.Exited.class);
        assertThat(workspace.resolve("deep/out.txt")).hasContent("out");
        assertThat(workspace.resolve("file.txt")).doesNotExist();
    }

    @Test
    void opensAWorkspaceThatACommandClosedToItself() throws Exception {
        shell("chmod 000 .");
        assertThat(stdout(shell("cat file.txt"))).isEqualTo("content");
    }

    @Test
    void keepsHeadAndTailAndCountsTheGap() throws Exception {
        String all =
                IntStream.rangeClosed(1, 200_000)
                        .mapToObj(i -> i + "\n")
                        .collect(Collectors.joining());
        var limits = with(WALL, limit -> limit.kept = 1000);
        Captured captured = output(sandbox.run(shellCommand("seq 1 200000"), limits)).stdout();
        assertThat(captured.bytes()).isEqualTo(all.length());
        assertThat(new String(captured.head(), StandardCharsets.UTF_8))
                .isEqualTo(all.substring(0, 500));
        assertThat(new String(captured.tail(), StandardCharsets.UTF_8))
                .isEqualTo(all.substring(all.length() - 500));
        assertThat(captured.sha256()).isEqualTo(Sha256.of(all));
        assertThat(captured.truncated()).isTrue();
    }

    @Test
    void keepsBytesAsTheyAre() throws Exception {
        Outcome outcome = shell("printf '\\377\\000\\033[1m\\342\\202'; printf err >&2");
        assertThat(output(outcome).stdout().head())
                .isEqualTo(new byte[] {-1, 0, 27, '[', '1', 'm', (byte) 0xe2, (byte) 0x82});
        assertThat(new String(output(outcome).stderr().head(), StandardCharsets.UTF_8))
                .isEqualTo("err");
    }

    @Test
    void looksForTheExpectedTextInTheWholeStreamAcrossColoursAndPauses() throws Exception {
        String script =
                "seq 1 50000; printf 'par\\033[3'; sleep 0.2; printf '1mser\\033[0m ok\\n';"
                        + " seq 1 50000";
        var limits = with(WALL, limit -> limit.kept = 1000);
        assertThat(output(sandbox.run(expecting(script, "parser ok"), limits)).expectFound())
                .isTrue();
        assertThat(
                        output(sandbox.run(expecting(script + " >&2", "parser ok"), limits))
                                .expectFound())
                .isTrue();
        assertThat(output(sandbox.run(expecting(script, "parser  ok"), limits)).expectFound())
                .isFalse();
    }

    @Test
    void takesTheServersBounds() {
        assertThat(sandbox.limits(WALL).processes()).isEqualTo(300);
        assertThat(sandbox.limits(WALL).memory()).isEqualTo(DataSize.ofGigabytes(4));
    }

    @Test
    void endsAFlood() throws Exception {
        var limits = with(WALL, limit -> limit.output = 2_000_000);
        assertThat(sandbox.run(shellCommand("exec yes"), limits))
                .isInstanceOfSatisfying(
                        Outcome.Signalled.class,
                        signalled -> {
                            assertThat(signalled.reason()).contains("output limit");
                            assertThat(signalled.output().stdout().bytes())
                                    .isGreaterThan(2_000_000);
                        });
    }

    @Test
    void endsAtTheTimeLimit() throws Exception {
        String nap = nap();
        assertThat(endsInTime(shellCommand("echo begun; sleep " + nap + "; echo never")))
                .isInstanceOfSatisfying(
                        Outcome.TimedOut.class,
                        timedOut -> {
                            assertThat(timedOut.limit()).isEqualTo(SHORT);
                            assertThat(text(timedOut.output().stdout())).isEqualTo("begun\n");
                        });
        assertNoneIsLeft(nap);
    }

    @Test
    void endsWhoIgnoresEverySignalThatCanBeIgnored() throws Exception {
        String nap = nap();
        String script = "trap '' TERM INT HUP QUIT PIPE USR1; while :; do sleep " + nap + "; done";
        assertThat(endsInTime(shellCommand(script))).isInstanceOf(Outcome.TimedOut.class);
        assertNoneIsLeft(nap);
    }

    @Test
    void endsWhoDetachedInEveryWayAtTheTimeLimit() throws Exception {
        String nap = nap();
        assertThat(endsInTime(shellCommand(detached(nap) + " sleep " + nap)))
                .isInstanceOf(Outcome.TimedOut.class);
        assertNoneIsLeft(nap);
    }

    @Test
    void leavesNobodyBehindWhenTheCommandEnds() throws Exception {
        String nap = nap();
        long start = System.nanoTime();
        Outcome outcome = shell(detached(nap) + " sleep " + nap + " & echo loaded");
        assertThat(stdout(outcome)).isEqualTo("loaded\n");
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(10));
        assertNoneIsLeft(nap);
    }

    /** A session of its own, a double fork, a cleared environment, closed streams, held pipes. */
    private static String detached(String nap) {
        return "setsid sleep NAP >/dev/null 2>&1 </dev/null & (sh -c 'sleep NAP & exit 0' &) ;"
                        .replace("NAP", nap)
                + " (env -i /usr/bin/setsid /bin/sh -c '(sleep NAP &) ; sleep NAP' &) ; sleep 0.3;"
                        .replace("NAP", nap);
    }

    @Test
    void isNotFloodedByAChildThatTheCommandLeft() throws Exception {
        long start = System.nanoTime();
        assertThat(shell("yes & sleep 0.1; exit 3"))
                .isInstanceOfSatisfying(
                        Outcome.Exited.class, exited -> assertThat(exited.code()).isEqualTo(3));
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(10));
    }

    @Test
    void survivesAForkBomb() throws Exception {
        String nap = nap();
        var limits = with(SHORT, limit -> limit.processes = 32);
        String script = "bomb() { bomb | bomb & }; sleep " + nap + " & bomb; sleep " + nap;
        long start = System.nanoTime();
        Outcome outcome = sandbox.run(shellCommand(script), limits);
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(SHORT.plusSeconds(1));
        assertThat(outcome).isNotInstanceOf(Outcome.NotStarted.class);
        assertNoneIsLeft(nap);
        assertThat(stdout(shell("echo next"))).isEqualTo("next\n");
    }

    @Test
    void boundsTheNumberOfProcesses() throws Exception {
        var limits = with(WALL, limit -> limit.processes = 16);
        String script = "i=0; while [ $i -lt 60 ]; do sleep 5 & i=$((i+1)); done 2>&1; echo all";
        Outcome outcome = sandbox.run(shellCommand(script), limits);
        assertThat(text(output(outcome).stdout()) + text(output(outcome).stderr()))
                .containsIgnoringCase("fork")
                .doesNotContain("all\n");
    }

    @Test
    void endsAMemoryHog() throws Exception {
        var limits = with(WALL, limit -> limit.memory = DataSize.ofMegabytes(64));
        Outcome outcome = sandbox.run(shellCommand("tail /dev/zero; exit 0"), limits);
        switch (outcome) {
            case Outcome.Signalled(var signal, String reason, var _, var _) ->
                    assertThat(reason).isEqualTo("memory limit of 64 MiB reached");
            case Outcome.Exited(int code, Output output, var _) ->
                    assertThat(text(output.stderr())).contains("memory exhausted");
            case Outcome.TimedOut(var _, var _) -> throw new AssertionError("no bound on memory");
            case Outcome.NotStarted(String reason, var _) -> throw new AssertionError(reason);
        }
    }

    @Test
    void boundsTheCpuTimeOfTheWholeTree() throws Exception {
        var limits = with(Duration.ofSeconds(60), limit -> limit.cpu = Duration.ofSeconds(1));
        String script = "burn() { while :; do :; done; }; burn & burn & wait";
        assertThat(sandbox.run(shellCommand(script), limits))
                .isInstanceOfSatisfying(
                        Outcome.Signalled.class,
                        signalled ->
                                assertThat(signalled.reason())
                                        .isEqualTo("CPU time limit of 1 s reached"));
    }

    @Test
    void boundsTheSizeOfAFile() throws Exception {
        var limits = with(WALL, limit -> limit.fileSize = DataSize.ofMegabytes(1));
        assertThat(sandbox.run(shellCommand("exec head -c 3000000 /dev/zero >big"), limits))
                .isInstanceOfSatisfying(
                        Outcome.Signalled.class,
                        signalled ->
                                assertThat(signalled.reason())
                                        .isEqualTo("file size limit of 1 MiB reached"));
        assertThat(workspace.resolve("big")).hasSize(1 << 20);
    }

    @Test
    void endsTheTreeBeforeItThrowsOnAnInterrupt() throws Exception {
        String nap = nap();
        var thrown = new AtomicReference<Throwable>();
        Thread thread =
                Thread.ofVirtual()
                        .start(
                                () -> {
                                    try {
                                        sandbox.run(
                                                shellCommand(detached(nap) + " sleep " + nap),
                                                Limits.of(WALL));
                                    } catch (Throwable e) {
                                        thrown.set(e);
                                    }
                                });
        Awaitility.await().until(() -> living(nap) >= 5);
        thread.interrupt();
        assertThat(thread.join(Duration.ofSeconds(1))).isTrue();
        assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
        assertNoneIsLeft(nap);
    }

    @Test
    void losesNoProcessWhenItIsInterruptedWhileItStarts() throws Exception {
        String nap = nap();
        for (int pause = 0; pause < 20; pause++) {
            var outcome = new AtomicReference<Outcome>();
            Thread thread =
                    Thread.ofPlatform()
                            .start(
                                    () -> {
                                        try {
                                            outcome.set(
                                                    sandbox.run(
                                                            shellCommand("sleep " + nap),
                                                            Limits.of(WALL)));
                                        } catch (InterruptedException e) {
                                            Thread.currentThread().interrupt();
                                        }
                                    });
            assertThat(thread.join(Duration.ofMillis(pause * 5L))).isFalse();
            thread.interrupt();
            thread.join();
            assertThat(outcome.get()).isNull();
        }
        assertNoneIsLeft(nap);
    }

    @Test
    void throwsAtOnceWhenTheThreadIsInterruptedAlready() {
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> shell("echo x")).isInstanceOf(InterruptedException.class);
    }

    @Test
    void outlivesTheThreadThatAskedForIt() throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Outcome> outcome = threads.submit(() -> shell("sleep 1; echo alive"));
            assertThat(stdout(outcome.get())).isEqualTo("alive\n");
        }
    }

    @Test
    void keepsRunsApart() throws Exception {
        try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
            List<Callable<String>> tasks = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                int number = i;
                tasks.add(() -> stdout(shell("echo " + number + "; exit " + number)));
            }
            List<Future<String>> results = threads.invokeAll(tasks);
            for (int i = 0; i < results.size(); i++) {
                assertThat(results.get(i).get()).isEqualTo(i + "\n");
            }
        }
    }

    @Test
    void leaksNothingOverManyRuns() throws Exception {
        int runs = Integer.getInteger("countersign.sandbox.runs", 100);
        for (int i = 0; i < 20; i++) shell("exit 0");
        Footprint before = Footprint.now(sandbox);
        for (int i = 0; i < runs; i++) {
            Outcome outcome = shell(i % 10 == 0 ? "sleep 500 & exit 1" : "exit 1");
            assertThat(outcome).isInstanceOf(Outcome.Exited.class);
        }
        Awaitility.await()
                .untilAsserted(
                        () -> {
                            Footprint after = Footprint.now(sandbox);
                            assertThat(after.descriptors())
                                    .isLessThanOrEqualTo(before.descriptors() + 3);
                            assertThat(after.threads()).isLessThanOrEqualTo(before.threads() + 3);
                            assertThat(after.files()).isEqualTo(before.files());
                            assertThat(after.children()).isZero();
                        });
    }

    /** What a service could leak. */
    record Footprint(long descriptors, int threads, long files, long children) {
        static Footprint now(LocalSandbox sandbox) throws IOException {
            try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"));
                    Stream<Path> files = Files.list(sandbox.control.directory())) {
                return new Footprint(
                        descriptors.count(),
                        Thread.getAllStackTraces().size(),
                        files.count(),
                        ProcessHandle.current().children().count());
            }
        }
    }

    Outcome shell(String script) throws InterruptedException {
        return run(List.of("sh", "-c", script), WALL);
    }

    Outcome run(List<String> argv, Duration wall) throws InterruptedException {
        return sandbox.run(command(argv, ""), Limits.of(wall));
    }

    private Outcome in(String directory, String script) throws InterruptedException {
        return sandbox.run(command(List.of("sh", "-c", script), directory), Limits.of(WALL));
    }

    private Command command(List<String> argv, String directory) {
        return new Command(argv, workspace, directory, List.of(), Map.of(), null);
    }

    Command shellCommand(String script) {
        return command(List.of("sh", "-c", script), "");
    }

    private Command expecting(String script, String expect) {
        return new Command(List.of("sh", "-c", script), workspace, "", List.of(), Map.of(), expect);
    }

    private Outcome endsInTime(Command command) throws InterruptedException {
        long start = System.nanoTime();
        Outcome outcome = sandbox.run(command, Limits.of(SHORT));
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(SHORT.plusSeconds(1));
        return outcome;
    }

    private void executable(String name, String script) throws IOException {
        Path file = Files.writeString(workspace.resolve(name), script);
        assertThat(file.toFile().setExecutable(true, false)).isTrue();
    }

    static Output output(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Exited(var _, Output output, var _) -> output;
            case Outcome.TimedOut(var _, Output output) -> output;
            case Outcome.Signalled(var _, var _, Output output, var _) -> output;
            case Outcome.NotStarted(String reason, var _) -> throw new AssertionError(reason);
        };
    }

    static String stdout(Outcome outcome) {
        return text(output(outcome).stdout());
    }

    static String text(Captured captured) {
        return new String(captured.head(), StandardCharsets.UTF_8);
    }

    private static String nap() {
        return Integer.toString(NAPS.incrementAndGet());
    }

    /** Processes of this host that have the number among their words, our own tools as well. */
    private static long living(String nap) {
        return ProcessTable.read().stream()
                .filter(entry -> !entry.isZombie())
                .filter(entry -> ProcessTable.text(entry.pid(), "cmdline").contains(nap))
                .count();
    }

    private static void assertNoneIsLeft(String nap) {
        assertThat(living(nap)).isZero();
    }

    private static final class Bounds {
        Duration cpu = Duration.ofMinutes(1);
        DataSize memory = DataSize.ofMegabytes(512);
        int processes = 64;
        DataSize fileSize = DataSize.ofMegabytes(64);
        long kept = 1 << 20;
        long output = 1 << 30;
    }

    private static Limits with(Duration wall, Consumer<Bounds> change) {
        var bounds = new Bounds();
        change.accept(bounds);
        return new Limits(
                wall,
                bounds.cpu,
                bounds.memory,
                bounds.processes,
                bounds.fileSize,
                DataSize.ofBytes(bounds.kept),
                DataSize.ofBytes(bounds.output));
    }
}
