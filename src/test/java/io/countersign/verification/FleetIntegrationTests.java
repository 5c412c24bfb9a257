package io.countersign.verification;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.countersign.support.ServiceClient;
import io.countersign.support.ServiceClient.Answer;
import io.countersign.support.ServiceProcess;
import io.countersign.support.TestPostgres;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.simple.JdbcClient;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Two processes that answer requests and two that work, on one Postgres. Checks run as plain
 * processes here, so that they can leave word outside their workspace.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FleetIntegrationTests {
    private static final String PROJECT = "test/fleet";

    /** The load waits here, so that a slow machine does not pile work up while services start. */
    private static final int MOST_OPEN = 12;

    private static final Duration PATIENCE = Duration.ofSeconds(120);

    /** Stays, with the services' logs, when a test fails. */
    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    static Path directory;

    private final TestPostgres.Database database = TestPostgres.freshDatabase();
    private final JdbcClient jdbc = JdbcClient.create(database.dataSource());
    private final AtomicInteger jobs = new AtomicInteger();
    private final AtomicInteger workersEver = new AtomicInteger();
    private final List<ServiceProcess> apis = new ArrayList<>();
    private final List<Worker> workers = new ArrayList<>();
    private OutsideLog outside;

    /** A process that works, and where its workspaces are. */
    private record Worker(ServiceProcess process, Path workspaces) {}

    /** A job that was asked for, and the id that the service gave it. */
    private record Submitted(String job, String id) {}

    @BeforeAll
    void startFleet() throws Exception {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx--x--x"));
        outside = OutsideLog.in(directory);
        // The first one migrates the database while the others wait for it.
        var starting = new ArrayList<CompletableFuture<?>>();
        starting.add(async(() -> apis.add(start("api", "api-1"))));
        starting.add(async(() -> apis.add(start("api", "api-2"))));
        starting.add(async(this::addWorker));
        starting.add(async(this::addWorker));
        starting.forEach(CompletableFuture::join);
        Answer allowed =
                client(0)
                        .as("dev-admin")
                        .put(
                                "/v1/projects/" + PROJECT,
                                Map.of("commands", Map.of("allowlist", List.of("sh"))));
        assertThat(allowed.status()).as(allowed.toString()).isBetween(200, 299);
    }

    @AfterAll
    void stopFleet() {
        apis.forEach(ServiceProcess::close);
        workers.forEach(worker -> worker.process().close());
    }

    @AfterEach
    void noJobRanTwiceAtOnceAndNoApiRanOne() throws IOException {
        assertThat(outside.lines()).noneMatch(line -> line.what().equals("overlap"));
        assertThat(outside.lines())
                .noneMatch(line -> line.workspace().startsWith(directory.resolve("api-1")))
                .noneMatch(line -> line.workspace().startsWith(directory.resolve("api-2")));
    }

    @Test
    void workersShareTheWork() throws Exception {
        List<Submitted> submitted = submit(20, "0.3");

        submitted.forEach(this::assertAccepted);

        Set<String> first = outside.jobs("end", workers.get(0).workspaces());
        Set<String> second = outside.jobs("end", workers.get(1).workspaces());
        assertThat(names(submitted)).filteredOn(first::contains).isNotEmpty();
        assertThat(names(submitted)).filteredOn(second::contains).isNotEmpty();
        assertThat(first).doesNotContainAnyElementsOf(second);
        assertThat(runs(submitted)).allMatch(run -> run == 1);
    }

    @Test
    void theJobsOfAKilledWorkerAreTakenOver() throws Exception {
        Worker doomed = workers.getFirst();
        Worker heir = workers.getLast();
        List<Submitted> submitted = submit(8, "2");
        await().atMost(PATIENCE).until(() -> !unfinished(submitted, doomed).isEmpty());

        doomed.process().kill();
        Set<String> interrupted = unfinished(submitted, doomed);
        workers.remove(doomed);
        CompletableFuture<?> replacement = async(this::addWorker);

        submitted.forEach(this::assertAccepted);
        replacement.join();
        assertThat(interrupted).isNotEmpty();
        List<Integer> again =
                runs(submitted.stream().filter(s -> interrupted.contains(s.job())).toList());
        assertThat(again).allMatch(run -> run == 2);
        assertThat(outside.jobs("end", heir.workspaces()))
                .as("the survivor worked on while the other was missed")
                .containsAnyElementsOf(names(submitted));
    }

    @Test
    void aRollingRestartLosesNothing() throws Exception {
        Queue<Submitted> submitted = new ConcurrentLinkedQueue<>();
        try (ScheduledExecutorService load = Executors.newSingleThreadScheduledExecutor()) {
            load.scheduleWithFixedDelay(
                    () -> {
                        if (open() < MOST_OPEN) submitted.addAll(submit(1, "0.5"));
                    },
                    0,
                    150,
                    TimeUnit.MILLISECONDS);
            for (Worker old : List.copyOf(workers)) {
                await().atMost(PATIENCE)
                        .until(() -> !unfinished(List.copyOf(submitted), old).isEmpty());
                old.process().stop(Duration.ofSeconds(60));
                workers.remove(old);
                addWorker();
            }
            load.shutdown();
        }

        List<Submitted> all = List.copyOf(submitted);
        all.forEach(this::assertAccepted);
        assertThat(all).hasSizeGreaterThan(10);
        assertThat(
                        jdbc.sql(
                                        "SELECT count(*) FROM verification WHERE id = ANY(?) AND dead_runs > 0")
                                .param(ids(all))
                                .query(Long.class)
                                .single())
                .as("work that is handed back is nobody's death")
                .isZero();
        assertThat(runs(all)).as("some runs were handed back").anyMatch(run -> run > 1);
    }

    private int open() {
        return jdbc.sql("SELECT count(*) FROM verification WHERE completed_at IS NULL")
                .query(Integer.class)
                .single();
    }

    private Set<String> unfinished(List<Submitted> submitted, Worker worker) throws IOException {
        Set<String> begun = outside.jobs("begin", worker.workspaces());
        begun.removeAll(outside.jobs("end", worker.workspaces()));
        begun.retainAll(names(submitted));
        return begun;
    }

    private static List<String> names(List<Submitted> submitted) {
        return submitted.stream().map(Submitted::job).toList();
    }

    private static UUID[] ids(List<Submitted> submitted) {
        return submitted.stream().map(one -> UUID.fromString(one.id())).toArray(UUID[]::new);
    }

    /** How many runs each took. */
    private List<Integer> runs(List<Submitted> submitted) {
        return jdbc.sql("SELECT run FROM verification WHERE id = ANY(?)")
                .param(ids(submitted))
                .query(Integer.class)
                .list();
    }

    /** Asks both APIs in turns. */
    private List<Submitted> submit(int count, String seconds) {
        List<Submitted> submitted = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int number = jobs.incrementAndGet();
            String job = "job-" + number;
            Answer queued =
                    client(number % 2)
                            .post(
                                    "/v1/verifications",
                                    Map.of(
                                            "project",
                                            PROJECT,
                                            "acceptance",
                                            "[acceptance]\ncheck: run command=\"sh job.sh %s %s\"\n[/acceptance]"
                                                    .formatted(job, seconds),
                                            "workspace",
                                            Map.of("files", Map.of("job.sh", outside.script()))));
            assertThat(queued.status()).as(queued.toString()).isEqualTo(202);
            submitted.add(new Submitted(job, queued.at("/id").asString()));
        }
        return submitted;
    }

    private void assertAccepted(Submitted submitted) {
        Answer finished =
                await().atMost(PATIENCE)
                        .until(
                                () ->
                                        client(0)
                                                .get(
                                                        "/v1/verifications/"
                                                                + submitted.id()
                                                                + "?wait=30"),
                                answer -> !answer.at("/accepted").isNull());
        assertThat(finished.at("/accepted").asBoolean()).as(finished.toString()).isTrue();
        assertThat(
                        jdbc.sql(
                                        "SELECT count(*) FROM verification_event"
                                                + " WHERE verification_id = ? AND type = 'verdict'")
                                .param(UUID.fromString(submitted.id()))
                                .query(Long.class)
                                .single())
                .isOne();
    }

    private ServiceClient client(int api) {
        return ServiceClient.at(apis.get(api).port());
    }

    private void addWorker() throws Exception {
        String name = "worker-" + workersEver.incrementAndGet();
        ServiceProcess process = start("worker", name);
        synchronized (workers) {
            workers.add(new Worker(process, directory.resolve(name)));
        }
    }

    private ServiceProcess start(String roles, String name) throws Exception {
        Path workspaces = Files.createDirectory(directory.resolve(name));
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("spring.datasource.username", database.user());
        settings.put("spring.datasource.password", database.password());
        settings.put("countersign.roles", roles);
        settings.put("countersign.sandbox.backend", "process");
        settings.put("countersign.checks.concurrency", "2");
        settings.put("countersign.workspaces.directory", workspaces.toString());
        settings.put("countersign.local.data-dir", directory.resolve("data").toString());
        return ServiceProcess.start(
                database.url(),
                directory.resolve(name + ".log"),
                List.of("-Xmx512m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"),
                settings);
    }

    /** Something that takes a while and may fail. */
    private interface Step {
        void run() throws Exception;
    }

    private static CompletableFuture<Void> async(Step step) {
        return CompletableFuture.runAsync(
                () -> {
                    try {
                        step.run();
                    } catch (Exception e) {
                        throw new IllegalStateException(e);
                    }
                },
                task -> Thread.ofVirtual().start(task));
    }
}
