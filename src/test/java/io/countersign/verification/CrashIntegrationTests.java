package io.countersign.verification;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.countersign.check.CommandPolicy;
import io.countersign.support.ServiceClient;
import io.countersign.support.ServiceClient.Answer;
import io.countersign.support.ServiceProcess;
import io.countersign.support.TestPostgres;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.simple.JdbcClient;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;

/** A killed service owes its verdicts: the next one on the same database gives them. */
class CrashIntegrationTests {
    private static final String PROJECT = "test/crash";

    /** So rare a duration that only this test's command carries it. */
    private static final String NAP = "8.0" + ProcessHandle.current().pid();

    private final TestPostgres.Database database = TestPostgres.freshDatabase();

    /** Stays, with the services' log, when the test fails. */
    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path directory;

    @Test
    void finishesAfterARestartWhatAKillInterrupted() throws Exception {
        letTheSandboxesUserThrough(directory);
        Path runs = Files.createDirectory(directory.resolve("runs"));
        String id;
        try (ServiceProcess doomed = start(runs)) {
            id = submit(ServiceClient.at(doomed.port()));
            await().atMost(Duration.ofSeconds(60)).until(() -> isAsleep());
            doomed.kill();
        }
        await("what the sandbox ran dies with its service")
                .atMost(Duration.ofSeconds(5))
                .until(() -> napping().isEmpty());
        assertThat(verdictEvents(id)).isZero();

        try (ServiceProcess heir = start(runs)) {
            Answer finished = awaitVerdict(ServiceClient.at(heir.port()), id);
            assertThat(finished.at("/status").asString()).isEqualTo("completed");
            assertThat(finished.at("/accepted").asBoolean()).as(finished.toString()).isTrue();
            assertThat(finished.at("/checks/0/outcome").asString()).isEqualTo("passed");
            assertThat(finished.at("/checks/0/isolation").asString()).isEqualTo("bubblewrap");
            assertThat(verdictEvents(id)).isOne();
            assertThat(napping()).isEmpty();
            await("no run's directory is left")
                    .atMost(Duration.ofSeconds(10))
                    .untilAsserted(() -> assertThat(runDirectories(runs)).isEmpty());
        }
    }

    private ServiceProcess start(Path runs) throws IOException, InterruptedException {
        return ServiceProcess.start(
                database.url(),
                directory.resolve("service.log"),
                List.of("-Xmx512m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"),
                Map.of(
                        "spring.datasource.username", database.user(),
                        "spring.datasource.password", database.password(),
                        "countersign.sandbox.required", "true",
                        "countersign.workspaces.directory", runs.toString()));
    }

    private static String submit(ServiceClient client) {
        List<String> allowlist = new ArrayList<>(CommandPolicy.DEFAULT_ALLOWLIST);
        allowlist.add("sleep");
        Answer widened =
                client.as("dev-admin")
                        .put(
                                "/v1/projects/" + PROJECT,
                                Map.of("commands", Map.of("allowlist", allowlist)));
        assertThat(widened.status()).as(widened.toString()).isBetween(200, 299);
        Answer queued =
                client.post(
                        "/v1/verifications",
                        Map.of(
                                "project",
                                PROJECT,
                                "acceptance",
                                "[acceptance]\ncheck: run command=\"sleep "
                                        + NAP
                                        + "\"\n[/acceptance]",
                                "workspace",
                                Map.of("files", Map.of("a.txt", "hello"))));
        assertThat(queued.status()).as(queued.toString()).isEqualTo(202);
        return queued.at("/id").asString();
    }

    private static Answer awaitVerdict(ServiceClient client, String id) {
        return await().atMost(Duration.ofSeconds(120))
                .pollInterval(Duration.ofMillis(100))
                .until(
                        () -> client.get("/v1/verifications/" + id + "?wait=30"),
                        answer -> !answer.at("/accepted").isNull());
    }

    private long verdictEvents(String id) {
        return JdbcClient.create(database.dataSource())
                .sql(
                        "SELECT count(*) FROM verification_event"
                                + " WHERE verification_id = ? AND type = 'verdict'")
                .param(UUID.fromString(id))
                .query(Long.class)
                .single();
    }

    /** Ids of the processes of this machine, in whatever sandbox, that run the command. */
    private static List<String> napping() throws IOException {
        List<String> found = new ArrayList<>();
        try (Stream<Path> all = Files.list(Path.of("/proc"))) {
            all.map(process -> process.getFileName().toString())
                    .filter(name -> name.chars().allMatch(Character::isDigit))
                    .filter(pid -> commandLine(pid).contains(NAP))
                    .forEach(found::add);
        }
        return found;
    }

    /** Whether the command itself runs, not only what builds the sandbox around it. */
    private static boolean isAsleep() throws IOException {
        return napping().stream()
                .anyMatch(pid -> commandLine(pid).split("\0")[0].endsWith("sleep"));
    }

    /** Empty when the process ended meanwhile. */
    private static String commandLine(String pid) {
        try {
            return Files.readString(Path.of("/proc", pid, "cmdline"));
        } catch (IOException | UncheckedIOException e) {
            return "";
        }
    }

    private static void letTheSandboxesUserThrough(Path directory) throws IOException {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx--x--x"));
    }

    /** Each service process has a directory of its own; the runs' directories are in that. */
    private static List<Path> runDirectories(Path runs) throws IOException {
        try (Stream<Path> all = Files.walk(runs, 2)) {
            return all.filter(path -> runs.relativize(path).getNameCount() == 2)
                    .filter(path -> !path.endsWith("parts")) // of uploads that come in now
                    .toList();
        }
    }
}
