package io.countersign.verification;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.countersign.check.CommandPolicy;
import io.countersign.support.IntegrationTest;
import io.countersign.support.ServiceClient;
import io.countersign.support.ServiceClient.Answer;

import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.JdbcTemplate;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

@IntegrationTest
class VerificationIntegrationTests {
    private static final String EXISTS =
            "[acceptance]\ncheck: fileExists path=a.txt\n[/acceptance]";

    @Autowired ServiceClient client;
    @Autowired JdbcTemplate jdbc;
    @Autowired Runs runs;
    @Autowired VerificationStore store;

    private String project;

    @BeforeEach
    void ownProject() {
        project = "test/" + UUID.randomUUID();
    }

    @Test
    void acceptsWorkThatFulfilsItsDod() {
        Answer answer = verify(EXISTS, Map.of("a.txt", "hello"));
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.at("/status").asString()).isEqualTo("completed");
        assertThat(answer.at("/accepted").asBoolean()).isTrue();
        assertThat(answer.at("/verdict/method").asString()).isEqualTo("deterministic");
        assertThat(answer.at("/verdict/assurance").asString()).isEqualTo("independent");
        assertThat(answer.at("/checks/0/outcome").asString()).isEqualTo("passed");
        assertThat(answer.at("/changeSet/treeSha256").asString()).hasSize(64);
        assertThat(answer.at("/dod/sha256").asString()).hasSize(64);
    }

    @Test
    void refusesWorkThatFallsShortWithTheReason() {
        Answer answer = verify(EXISTS, Map.of("b.txt", "hello"));
        assertThat(answer.at("/accepted").asBoolean(true)).isFalse();
        assertThat(answer.at("/verdict/cause").asString()).isEqualTo("work");
        assertThat(answer.at("/verdict/reasons/0").asString()).startsWith("fileExists: ");
        assertThat(answer.at("/forcingNote").asString()).contains("did not accept");
    }

    @Test
    void answersAtOnceAndLetsTheCallerWait() {
        Answer queued = client.post("/v1/verifications", request(EXISTS, Map.of("a.txt", "x")));
        assertThat(queued.status()).isEqualTo(202);
        String location = queued.header("Location").orElseThrow();
        assertThat(queued.at("/links/self").asString()).isEqualTo(location);
        Answer finished = client.get(location + "?wait=30");
        assertThat(finished.at("/accepted").asBoolean()).isTrue();
    }

    @Test
    void aRepeatWithTheSameKeyIsTheSameVerification() {
        ServiceClient once = waiting().with("Idempotency-Key", UUID.randomUUID().toString());
        Object request = request(EXISTS, Map.of("a.txt", "x"));
        Answer first = once.post("/v1/verifications", request);
        Answer second = once.post("/v1/verifications", request);
        assertThat(second.at("/id")).isEqualTo(first.at("/id"));
        assertThat(second.header("Idempotency-Replayed")).contains("true");
        Answer other = once.post("/v1/verifications", request(EXISTS, Map.of("a.txt", "y")));
        assertThat(other.status()).isEqualTo(409);
        assertThat(other.at("/code").asString()).isEqualTo("idempotency-key-reused");
    }

    @Test
    void aCheckerDodFailsClosedWithoutAGrader() {
        Answer answer =
                verify("[acceptance]\ncriteria: It works.\n[/acceptance]", Map.of("a.txt", "x"));
        assertThat(answer.at("/accepted").asBoolean(true)).isFalse();
        assertThat(answer.at("/verdict/cause").asString()).isEqualTo("infrastructure");
        assertThat(answer.at("/verdict/reasons").toString()).contains("no grader is configured");
    }

    @Test
    void streamsEveryStepAndResumes() {
        String id = verify(EXISTS, Map.of("a.txt", "x")).at("/id").asString();
        String all = client.get("/v1/verifications/" + id + "/events").text();
        assertThat(all)
                .containsSubsequence("event:status", "event:check", "event:verdict")
                .contains("id:1\n");
        String rest =
                client.with("Last-Event-ID", "2").get("/v1/verifications/" + id + "/events").text();
        assertThat(rest).contains("event:verdict").doesNotContain("event:status");
        String none =
                client.with("Last-Event-ID", "3").get("/v1/verifications/" + id + "/events").text();
        assertThat(none).doesNotContain("event:");
    }

    @Test
    void cancellingStopsTheWork() {
        allow("sleep");
        String id =
                client.post("/v1/verifications", request(run("sleep 60"), Map.of("a.txt", "x")))
                        .at("/id")
                        .asString();
        await().until(() -> status(id).equals("running"));
        Answer cancelled = client.post("/v1/verifications/" + id + "/cancel");
        assertThat(cancelled.at("/status").asString()).isEqualTo("cancelled");
        assertThat(cancelled.at("/verdict/cause").asString()).isEqualTo("cancelled");
        assertThat(cancelled.at("/verdict/reasons/0").asString())
                .isEqualTo("cancelled by dev-orchestrator");
        Answer again = client.post("/v1/verifications/" + id + "/cancel");
        assertThat(again.at("/verdict")).isEqualTo(cancelled.at("/verdict"));
    }

    @Test
    void theGateBudgetClosesForReal() {
        allow("sleep");
        Map<String, Object> request = request(run("sleep 60"), Map.of("a.txt", "x"));
        request.put("limits", Map.of("gateBudgetMs", 500));
        Answer answer = waiting().post("/v1/verifications", request);
        assertThat(answer.at("/verdict/cause").asString()).isEqualTo("work");
        assertThat(answer.at("/verdict/reasons").toString())
                .contains("verification gate timed out after 500ms");
    }

    @Test
    void aRerunJudgesTheSameInputAndLinksBoth() {
        String id = verify(EXISTS, Map.of("a.txt", "x")).at("/id").asString();
        Answer rerun = waiting().post("/v1/verifications/" + id + "/rerun");
        assertThat(rerun.at("/rerunOf").asString()).isEqualTo(id);
        assertThat(rerun.at("/accepted").asBoolean()).isTrue();
        assertThat(rerun.at("/id").asString()).isNotEqualTo(id);
        assertThat(rerun.at("/reruns").isEmpty()).isTrue();
        Answer again = waiting().post("/v1/verifications/" + id + "/rerun");
        Answer first = client.get("/v1/verifications/" + id);
        assertThat(first.at("/rerunOf").isNull()).isTrue();
        assertThat(first.at("/reruns").values()).containsExactly(again.at("/id"), rerun.at("/id"));
        assertThat(history("").at("/items/2/reruns")).isEqualTo(first.at("/reruns"));
    }

    @Test
    void givesWhatACommandWrote() {
        Answer answer =
                verify(run("node -e \\\"console.log('hi'); console.error('oops')\\\""), Map.of());
        String output = "/v1/verifications/" + answer.at("/id").asString() + "/checks/0/output";
        assertThat(client.get(output).text()).isEqualTo("hi\n");
        assertThat(client.get(output + "?stream=stderr").text()).isEqualTo("oops\n");
        assertThat(client.get(output + "?stream=both").status()).isEqualTo(422);
        assertThat(client.get(output.replace("/0/", "/7/")).status()).isEqualTo(404);
    }

    @Test
    void pagesThroughHistoryNewestFirst() {
        List<String> ids = new ArrayList<>();
        IntStream.range(0, 5)
                .forEach(
                        n -> ids.add(verify(EXISTS, Map.of("a.txt", "" + n)).at("/id").asString()));
        List<String> seen = new ArrayList<>();
        String cursor = "";
        do {
            Answer page = history("limit=2" + cursor);
            page.at("/items").forEach(item -> seen.add(item.at("/id").asString()));
            cursor = page.at("/next").isString() ? "&cursor=" + page.at("/next").asString() : null;
        } while (cursor != null);
        assertThat(seen).isEqualTo(ids.reversed());
        assertThat(history("limit=0").status()).isEqualTo(422);
        assertThat(history("cursor=nonsense").status()).isEqualTo(422);
    }

    @ParameterizedTest
    @CsvSource({
        "accepted=true, 1",
        "accepted=false, 1",
        "cause=work, 1",
        "cause=dod, 0",
        "method=deterministic, 2",
        "producer=ses_1, 2",
        "producer=other, 0",
        "path=a.txt, 1",
        "status=completed, 2",
        "from=2030-01-01T00:00:00Z, 0",
        "to=2030-01-01T00:00:00Z, 2"
    })
    void filtersHistory(String filter, int count) {
        verify(EXISTS, Map.of("a.txt", "x"), "a.txt");
        verify(EXISTS, Map.of("b.txt", "x"), "b.txt");
        assertThat(history(filter).at("/items").size()).isEqualTo(count);
    }

    @ParameterizedTest
    @CsvSource({
        "status=bogus,      ?status",
        "status=Completed,  ?status",
        "status=,           ?status",
        "method=bogus,      ?method",
        "cause=xx,          ?cause",
        "accepted=maybe,    ?accepted",
        "limit=99999999999, ?limit",
        "limit=201,         ?limit",
        "from=yesterday,    ?from"
    })
    void aFilterThatNamesNothingIsRefused(String filter, String pointer) {
        Answer answer = history(filter);
        assertThat(answer.status()).as(answer.toString()).isEqualTo(422);
        assertThat(answer.at("/errors/0/pointer").asString()).isEqualTo(pointer);
        assertThat(answer.text()).doesNotContain("java.", "convert");
    }

    @Test
    void countsVerdictsPerBucket() {
        verify(EXISTS, Map.of("a.txt", "x"));
        verify(EXISTS, Map.of("b.txt", "x"));
        Answer stats = client.get("/v1/stats?bucket=day&project=" + project);
        assertThat(stats.at("/items/0/count").asInt()).isEqualTo(2);
        assertThat(stats.at("/items/0/passRate").asDouble()).isEqualTo(0.5);
        Answer byCheck = client.get("/v1/stats?by=check&project=" + project);
        assertThat(byCheck.at("/items/0/check").asString()).isEqualTo("fileExists");
        assertThat(client.get("/v1/stats?by=nothing").status()).isEqualTo(422);
        assertThat(client.get("/v1/stats?bucket=month").status()).isEqualTo(422);
    }

    @Test
    void aVerdictIsNeverRewritten() {
        String id = verify(EXISTS, Map.of("a.txt", "x")).at("/id").asString();
        assertThatThrownBy(
                        () ->
                                jdbc.update(
                                        "UPDATE verification SET accepted = false WHERE id = ?",
                                        UUID.fromString(id)))
                .hasMessageContaining("append-only");
    }

    @Test
    void theThirdDeadWorkerEndsIt() {
        VerificationId id = unconcluded(true, 2);
        assertThat(runs.run(id, context -> {})).isEqualTo(Runs.Ending.DONE);
        Answer answer = client.get("/v1/verifications/" + id);
        assertThat(answer.at("/verdict/cause").asString()).isEqualTo("infrastructure");
        assertThat(answer.at("/verdict/reasons/0").asString())
                .isEqualTo("its checks took three workers down");
    }

    static Stream<Throwable> faults() {
        return Stream.of(
                new IllegalStateException("a fault"),
                new StackOverflowError(),
                new AssertionError("a fault"),
                new NoClassDefFoundError("io.countersign.NoSuchClass"),
                new IOException("a fault that nobody declared"));
    }

    @ParameterizedTest
    @MethodSource("faults")
    void aFaultOfTheServiceFailsClosed(Throwable fault) {
        VerificationId id = unconcluded(false, 0);
        runs.run(id, context -> sneak(fault));
        Answer answer = client.get("/v1/verifications/" + id);
        assertThat(answer.at("/verdict/reasons/0").asString())
                .isEqualTo("verification failed (fail-closed)");
        assertThat(answer.at("/verdict/cause").asString()).isEqualTo("infrastructure");
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void sneak(Throwable fault) throws T {
        throw (T) fault;
    }

    @Test
    void aProcessWithoutMemoryCountsAsDead() {
        VerificationId id = unconcluded(false, 0);
        assertThatThrownBy(() -> runs.run(id, context -> sneak(new OutOfMemoryError())))
                .isInstanceOf(OutOfMemoryError.class);
        assertThat(store.begin(id, java.time.Instant.EPOCH).orElseThrow().deadRuns()).isOne();
    }

    @Test
    void aWorkerThatWasThoughtDeadConcludesNothing() {
        VerificationId id = unconcluded(false, 0);
        runs.run(
                id,
                late ->
                        // Meanwhile another worker takes it over and concludes.
                        runs.run(
                                id,
                                context -> {
                                    throw new IllegalStateException("concluded by run 2");
                                }));
        assertThat(store.find(id).orElseThrow().run()).isEqualTo(2);
        assertThat(runs.run(id, context -> {})).isEqualTo(Runs.Ending.DONE);
        assertThat(store.find(id).orElseThrow().run()).isEqualTo(2);
    }

    @Test
    void anInterruptedRunIsHandedBackWithoutBlame() {
        VerificationId id = unconcluded(false, 0);
        Runs.Ending ending =
                runs.run(
                        id,
                        context -> {
                            throw new InterruptedException();
                        });
        assertThat(ending).isEqualTo(Runs.Ending.HAND_BACK);
        assertThat(status(id.toString())).isEqualTo("queued");
        assertThat(store.begin(id, java.time.Instant.EPOCH).orElseThrow().deadRuns()).isZero();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    {"dispatch": "x"} | 422 | /project
                    {"project": "../x"} | 422 | /project
                    {"project": "p", "mode": "fast"} | 422 | /mode
                    {"project": "p", "wiring": "loose"} | 422 | /wiring
                    {"project": "p", "limits": {"gateBudgetMs": 0}} | 422 | /limits/gateBudgetMs
                    {"project": "p", "limits": {"gateBudget": 5}} | 422 | /limits/gateBudget
                    {"project": "p", "dispach": "x"} | 422 | /dispach
                    {"project": "p", "callback": {"url": "ftp://x"}} | 422 | /callback/url
                    {"project": "p", "callback": {"url": "http://127.0.0.1/x"}} | 422 | /callback/url
                    {"project": "p", "callback": {"url": "http://169.254.169.254/"}} | 422 | /callback/url
                    {"project": | 400 | -
                    """)
    void refusesABadRequestAndNamesTheMember(String body, int status, String pointer) {
        Answer answer = client.post("/v1/verifications", body);
        assertThat(answer.status()).as(answer.toString()).isEqualTo(status);
        if (!pointer.equals("-")) {
            assertThat(answer.at("/errors/0/pointer").asString()).isEqualTo(pointer);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"id", "drafterId", "tier", "model"})
    void theLongestNamesAreTakenAndLongerOnesRefused(String member) {
        project = "p".repeat(100) + "/" + UUID.randomUUID() + "p".repeat(63);
        Map<String, Object> request = request(EXISTS, Map.of("a.txt", "x"), "a.txt");
        request.put("producer", Map.of(member, incompressible(500)));
        Answer taken = waiting().post("/v1/verifications", request);
        assertThat(taken.at("/accepted").asBoolean()).as(taken.toString()).isTrue();
        request.put("producer", Map.of(member, incompressible(501)));
        Answer refused = client.post("/v1/verifications", request);
        assertThat(refused.status()).as(refused.toString()).isEqualTo(422);
        assertThat(refused.at("/errors/0/pointer").asString()).isEqualTo("/producer/" + member);
    }

    @Test
    void theLongestPathOfTheLongestProjectIsTaken() {
        project = "p".repeat(100) + "/" + UUID.randomUUID() + "p".repeat(63);
        String path = (incompressible(80) + "/").repeat(8) + incompressible(10);
        path = path + "x".repeat(2000 - path.getBytes(StandardCharsets.UTF_8).length);
        Answer taken = verify(EXISTS, Map.of("a.txt", "x"), path, "a.txt");
        assertThat(taken.at("/accepted").asBoolean()).as(taken.toString()).isTrue();
        assertThat(taken.at("/changeSet/files").size()).isEqualTo(2);
    }

    /** Characters of three bytes each, in no order that the database could make use of. */
    private static String incompressible(int length) {
        Random random = new Random(length);
        return random.ints(length, 0x4E00, 0x9000)
                .mapToObj(Character::toString)
                .collect(Collectors.joining());
    }

    @Test
    void aRefusedRequestLeavesNoneOfItsArchiveBehind() throws Exception {
        Map<String, Object> request = request(EXISTS, Map.of());
        request.remove("workspace");
        Answer taken = multipart(request);
        assertThat(taken.status()).as(taken.toString()).isEqualTo(202);
        assertThat(blobs()).isOne();
        project = "test/" + UUID.randomUUID();
        request.put("project", project);
        request.put("mode", "fast");
        Answer refused = multipart(request);
        assertThat(refused.at("/errors/0/pointer").asString()).isEqualTo("/mode");
        assertThat(blobs()).isZero();
    }

    private int blobs() {
        return jdbc.queryForObject(
                "SELECT count(*) FROM blob WHERE project = ?", Integer.class, project);
    }

    private Answer multipart(Map<String, Object> request) throws IOException {
        ByteArrayOutputStream tar = new ByteArrayOutputStream();
        try (TarArchiveOutputStream archive = new TarArchiveOutputStream(tar)) {
            TarArchiveEntry entry = new TarArchiveEntry("a.txt");
            entry.setSize(1);
            archive.putArchiveEntry(entry);
            archive.write('x');
            archive.closeArchiveEntry();
        }
        String part = "--part\r\nContent-Disposition: form-data; name=";
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        body.writeBytes(
                (part + "\"request\"\r\nContent-Type: application/json\r\n\r\n").getBytes());
        body.writeBytes(ServiceClient.JSON.writeValueAsBytes(request));
        body.writeBytes(("\r\n" + part + "\"workspace\"; filename=\"w.tar\"\r\n\r\n").getBytes());
        body.writeBytes(tar.toByteArray());
        body.writeBytes("\r\n--part--\r\n".getBytes());
        return client.upload(
                "/v1/verifications", "multipart/form-data; boundary=part", body.toByteArray());
    }

    @Test
    void aVerificationOutOfReachDoesNotExist() {
        assertThat(client.get("/v1/verifications/" + UUID.randomUUID()).status()).isEqualTo(404);
        assertThat(client.get("/v1/verifications/nonsense").status()).isEqualTo(404);
    }

    private Answer verify(String dod, Map<String, String> files, String... changed) {
        return waiting().post("/v1/verifications", request(dod, files, changed));
    }

    private ServiceClient waiting() {
        return client.with("Prefer", "wait=60");
    }

    private Map<String, Object> request(String dod, Map<String, String> files, String... changed) {
        Map<String, Object> request = new LinkedHashMap<>();
        request.put("project", project);
        request.put("acceptance", dod);
        request.put("producer", Map.of("id", "ses_1"));
        request.put("workspace", Map.of("files", files));
        List<Map<String, String>> list = new ArrayList<>();
        for (String path : changed) list.add(Map.of("path", path, "status", "modified"));
        if (changed.length > 0) request.put("artefact", Map.of("changedFiles", list));
        return request;
    }

    @ParameterizedTest
    @CsvSource({"made.txt, true", "a.txt, false"})
    void aSetupStepMayAddFilesAndChangesNoneThatIsJudged(String target, boolean accepted) {
        Answer policy =
                client.as("dev-admin")
                        .put(
                                "/v1/projects/" + project,
                                Map.of(
                                        "commands", Map.of("allowlist", List.of("cp")),
                                        "setup", Map.of("command", "cp good.txt " + target)));
        assertThat(policy.status()).as("%s", policy).isBetween(200, 299);

        Answer answer =
                verify(
                        "[acceptance]\ncheck: fileContains path=%s text=hello\n[/acceptance]"
                                .formatted(target),
                        Map.of("a.txt", "nope", "good.txt", "hello"));

        assertThat(answer.at("/accepted").asBoolean()).as("%s", answer).isEqualTo(accepted);
        assertThat(answer.at("/setup/outcome").asString())
                .isEqualTo(accepted ? "passed" : "failed");
        if (!accepted) {
            assertThat(answer.at("/verdict/cause").asString()).isEqualTo("work");
            assertThat(answer.at("/setup/reason").asString()).contains("a.txt");
        }
    }

    private static String run(String command) {
        return "[acceptance]\ncheck: run command=\"" + command + "\"\n[/acceptance]";
    }

    private void allow(String program) {
        List<String> allowlist = new ArrayList<>(CommandPolicy.DEFAULT_ALLOWLIST);
        allowlist.add(program);
        Answer answer =
                client.as("dev-admin")
                        .put(
                                "/v1/projects/" + project,
                                Map.of("commands", Map.of("allowlist", allowlist)));
        assertThat(answer.status()).as(answer.toString()).isBetween(200, 299);
    }

    private Answer history(String query) {
        return client.get("/v1/verifications?project=" + project + "&" + query);
    }

    private String status(String id) {
        return client.get("/v1/verifications/" + id).at("/status").asString();
    }

    /** A verification that no task runs, as a run of its own would find it. */
    private VerificationId unconcluded(boolean held, int deadRuns) {
        String template = verify(EXISTS, Map.of("a.txt", "x")).at("/id").asString();
        UUID id = UUID.randomUUID();
        jdbc.update(
                "INSERT INTO verification (id, project, status, mode, wiring, requested_by, input,"
                        + " policy, policy_sha256, dod, held, dead_runs, run, queued_at)"
                        + " SELECT ?, project, 'running', mode, wiring, requested_by, input, policy,"
                        + " policy_sha256, dod, ?, ?, 0, queued_at FROM verification WHERE id = ?",
                id,
                held,
                deadRuns,
                UUID.fromString(template));
        return new VerificationId(id);
    }
}
