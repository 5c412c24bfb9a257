package io.countersign.delegation;

import static org.assertj.core.api.Assertions.assertThat;

import io.countersign.support.IntegrationTest;
import io.countersign.support.ServiceClient;
import io.countersign.support.ServiceClient.Answer;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.JdbcTemplate;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** A scripted agent is driven through the ladder by a small client, as a plugin would do it. */
@IntegrationTest
class DelegationIntegrationTests {
    private static final String DONE = "[acceptance]\ncheck: fileExists path=a.txt\n[/acceptance]";
    private static final Map<String, String> LIE = Map.of("b.txt", "I did it, trust me");
    private static final Map<String, String> WORK = Map.of("a.txt", "the work");

    @Autowired ServiceClient client;
    @Autowired JdbcTemplate jdbc;

    private ServiceClient agent;
    private String project;

    @BeforeEach
    void ownProject() {
        project = "delegation/" + UUID.randomUUID();
        agent = client.as("dev-producer").with("Prefer", "wait=60");
    }

    @Test
    void anAgentThatLiesTwiceIsRetriedEscalatedAndAcceptedOnceItDidTheWork() {
        String id = open(Map.of());
        Answer first = attempt(id, LIE);
        assertThat(next(first)).isEqualTo("retry fast");
        assertThat(first.at("/next/forcingMessage").asString()).contains("did NOT pass");
        assertThat(next(attempt(id, LIE))).isEqualTo("escalate medium");
        Answer third = attempt(id, WORK);
        assertThat(next(third)).isEqualTo("accept medium");
        assertThat(third.at("/scorecard/attempts").asInt()).isEqualTo(3);
        assertThat(third.at("/scorecard/escalations").asInt()).isEqualTo(1);
        assertThat(third.at("/verdict/assurance").asString()).isEqualTo("independent");
        Answer closed = client.get("/v1/delegations/" + id);
        assertThat(closed.at("/state").asString()).isEqualTo("accepted");
        assertThat(closed.at("/terminalReason").asString()).isEqualTo("verified");
        assertThat(attempt(id, WORK).status()).isEqualTo(409);
    }

    @Test
    void anAgentThatNeverDoesTheWorkEndsUnmetWithItsReasons() {
        String id = open(Map.of("escalate", Map.of("maxTotalAttempts", 2)));
        attempt(id, LIE);
        Answer last = attempt(id, LIE);
        assertThat(last.at("/next/action").asString()).isEqualTo("give_up");
        assertThat(last.at("/next/reason").asString()).isEqualTo("max total attempts (2) reached");
        assertThat(last.at("/state").asString()).isEqualTo("unmet");
        assertThat(last.at("/scorecard/verdict").asString()).isEqualTo("UNMET");
        assertThat(last.at("/result/text").asString()).isEqualTo("Done, all tests pass.");
        assertThat(last.at("/result/reasons/0").asString()).startsWith("fileExists: ");
    }

    @Test
    void anAgentThatDiesInTheMiddleExpires() {
        String id = open(Map.of());
        attempt(id, LIE);
        jdbc.update(
                "UPDATE delegation SET expires_at = now() - interval '1 second' WHERE id = ?",
                UUID.fromString(id));
        assertThat(attempt(id, WORK).status()).isEqualTo(409);
        assertThat(client.get("/v1/delegations/" + id).at("/state").asString())
                .isEqualTo("expired");
    }

    @Test
    void aProducerThatFailedNeverOpensTheGate() {
        String id = open(Map.of());
        Map<String, Object> request = request(WORK);
        request.put("error", "ran out of tokens");
        Answer answer = agent.post("/v1/delegations/" + id + "/attempts", request);
        assertThat(answer.at("/verdict/reasons/0").asString())
                .isEqualTo("producer failed: ran out of tokens");
        assertThat(answer.at("/next/action").asString()).isEqualTo("retry");
        assertThat(answer.at("/scorecard/attempts").asInt()).isEqualTo(1);
    }

    @Test
    void aFaultOfTheVerificationIsForgivenOnce() {
        String id = open("[acceptance]\ncriteria: It works.\n[/acceptance]", Map.of());
        Answer forgiven = attempt(id, WORK);
        assertThat(forgiven.at("/verdict/cause").asString()).isEqualTo("infrastructure");
        assertThat(next(forgiven)).isEqualTo("retry fast");
        assertThat(forgiven.at("/scorecard/attempts").asInt()).isZero();
        assertThat(attempt(id, WORK).at("/scorecard/attempts").asInt()).isEqualTo(1);
    }

    @Test
    void holdsATaskContractBesideTheDod() {
        Map<String, Object> policy =
                Map.of(
                        "verification",
                        List.of(
                                Map.of(
                                        "name",
                                        "quotes",
                                        "argv",
                                        List.of("node", "-e", "process.exit('a b;c'.length - 5)"))),
                        "allowedPaths",
                        List.of("src/**"));
        String id = open(policy);
        Answer outside = attempt(id, WORK, "a.txt");
        assertThat(outside.at("/verdict/reasons").toString())
                .contains("changed a path outside the contract: a.txt")
                .doesNotContain("node");
    }

    @Test
    void finishesWithoutAGateWhenNothingMayChange() {
        String id = open(Map.of("noChanges", "accept"));
        Map<String, Object> request = request(Map.of("b.txt", "x"));
        request.put(
                "artefact", Map.of("finalReturnText", "nothing to do", "changedFiles", List.of()));
        Answer answer = agent.post("/v1/delegations/" + id + "/attempts", request);
        assertThat(answer.at("/verdict/skipped").asBoolean()).isTrue();
        assertThat(answer.at("/verdict/pass").asBoolean(true)).isFalse();
        Answer closed = client.get("/v1/delegations/" + id);
        assertThat(closed.at("/terminalReason").asString()).isEqualTo("no_changes");
    }

    @Test
    void ofTwoAttemptsAtOnceOneIsRefused() throws Exception {
        String id = open(Map.of());
        try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
            Callable<Integer> post =
                    () ->
                            client.as("dev-producer")
                                    .post("/v1/delegations/" + id + "/attempts", request(LIE))
                                    .status();
            List<Future<Integer>> both = threads.invokeAll(List.of(post, post));
            List<Integer> statuses = List.of(both.get(0).get(), both.get(1).get());
            // The second may come when the first is verified already: then both are taken.
            assertThat(statuses).contains(202).isSubsetOf(202, 409);
        }
    }

    @Test
    void endsByHand() {
        String id = open(Map.of());
        Answer abandoned = client.post("/v1/delegations/" + id + "/abandon");
        assertThat(abandoned.at("/state").asString()).isEqualTo("abandoned");
        assertThat(attempt(id, WORK).status()).isEqualTo(409);
    }

    @Test
    void listsAProjectsDelegations() {
        String first = open(Map.of());
        String second = open(Map.of());
        Answer page = client.get("/v1/delegations?limit=1&project=" + project);
        assertThat(page.at("/items/0/id").asString()).isEqualTo(second);
        Answer rest =
                client.get(
                        "/v1/delegations?limit=1&project="
                                + project
                                + "&cursor="
                                + page.at("/next").asString());
        assertThat(rest.at("/items/0/id").asString()).isEqualTo(first);
        assertThat(rest.at("/next").isNull()).isTrue();
    }

    @Test
    void aProducerOpensNoDelegation() {
        assertThat(agent.post("/v1/delegations", Map.of("project", project)).status())
                .isEqualTo(403);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    {"escalate": {"maxTotalAttempts": 0}} | /policy/escalate/maxTotalAttempts
                    {"escalate": {"costMultiple": -1}} | /policy/escalate/costMultiple
                    {"escalate": {"tierCosts": {"fast": -1}}} | /policy/escalate/tierCosts
                    {"escalate": {"rungs": []}} | /policy/escalate/rungs
                    {"verification": []} | /policy/verification
                    {"verification": [{"name": "x", "argv": []}]} | /policy/verification/0/argv
                    {"allowedPaths": []} | /policy/allowedPaths
                    {"noChanges": "fine"} | /policy/noChanges
                    {"approvals": []} | /policy/approvals
                    """)
    void refusesABadPolicyAndNamesTheMember(String policy, String pointer) {
        Answer answer =
                client.post(
                        "/v1/delegations",
                        "{\"project\": \"" + project + "\", \"policy\": " + policy + "}");
        assertThat(answer.status()).as(answer.toString()).isEqualTo(422);
        assertThat(answer.at("/errors/0/pointer").asString()).isEqualTo(pointer);
    }

    @Test
    void lintsAPlan() {
        String plan =
                "# Plan\n\n## Parser\n\n[acceptance]\ncheck: testsPass\n[/acceptance]\n\n## Docs\n\nWrite.\n";
        Answer answer = client.post("/v1/plans/lint", Map.of("markdown", plan));
        assertThat(answer.at("/valid").asBoolean(true)).isFalse();
        assertThat(answer.at("/tasks").toString()).contains("\"defined\"", "\"error\"");
        assertThat(client.post("/v1/plans/lint", Map.of()).status()).isEqualTo(422);
    }

    private String open(Map<String, Object> policy) {
        return open(DONE, policy);
    }

    private String open(String acceptance, Map<String, Object> policy) {
        Answer answer =
                client.post(
                        "/v1/delegations",
                        Map.of(
                                "project",
                                project,
                                "dispatch",
                                "Make it work",
                                "acceptance",
                                acceptance,
                                "producer",
                                Map.of("tier", "fast"),
                                "policy",
                                policy));
        assertThat(answer.status()).as(answer.toString()).isEqualTo(201);
        return answer.at("/id").asString();
    }

    private Answer attempt(String id, Map<String, String> files, String... changed) {
        return agent.post("/v1/delegations/" + id + "/attempts", request(files, changed));
    }

    private static Map<String, Object> request(Map<String, String> files, String... changed) {
        Map<String, Object> request = new LinkedHashMap<>();
        request.put("producer", Map.of("id", "ses_1"));
        Map<String, Object> artefact = new LinkedHashMap<>();
        artefact.put("finalReturnText", "Done, all tests pass.");
        if (changed.length > 0) {
            artefact.put(
                    "changedFiles",
                    List.of(changed).stream().map(path -> Map.of("path", path)).toList());
        }
        request.put("artefact", artefact);
        request.put("workspace", Map.of("files", files));
        return request;
    }

    private static String next(Answer answer) {
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        return answer.at("/next/action").asString() + " " + answer.at("/next/tier").asString();
    }
}
