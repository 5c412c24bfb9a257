package io.countersign.verification;

import static org.assertj.core.api.Assertions.assertThat;

import io.countersign.grader.FakeModelServer;
import io.countersign.grader.FakeModelServer.Received;
import io.countersign.grader.FakeModelServer.Wire;
import io.countersign.support.IntegrationTest;
import io.countersign.support.ServiceClient;
import io.countersign.support.ServiceClient.Answer;
import io.countersign.support.Work;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Producers that say in the body who they are, so that a weaker grader, or one of their own kind,
 * judges them. What they are comes from their credential; a model server on loopback shows who was
 * asked.
 */
@IntegrationTest
class LyingProducerIntegrationTests {
    private static final FakeModelServer PROVIDER = FakeModelServer.start(Wire.OPENAI);

    @Autowired ServiceClient client;

    @DynamicPropertySource
    static void provider(DynamicPropertyRegistry registry) {
        PROVIDER.then(PROVIDER.text("{\"pass\": true, \"reasons\": []}"));
        PROVIDER.register(registry);
        registry.add("countersign.grader.tiers.fast", () -> "fake/small");
        registry.add("countersign.grader.tiers.medium", () -> "fake/middle");
        registry.add("countersign.grader.tiers.heavy", () -> "fake/large");
    }

    @AfterAll
    static void closeProvider() {
        PROVIDER.close();
    }

    @ParameterizedTest(name = "an agent registered as {0} that claims {1} is graded by {2}")
    @CsvSource({
        ", fast, large",
        ", , large",
        "medium, fast, middle",
        "medium, heavy, middle",
        "heavy, fast, large",
        "heavy, nonsense, large",
        "fast, heavy, small"
    })
    void theGradersTierComesFromTheRegistration(
            String registered, String claimed, String graderModel) {
        ServiceClient agent = agent(registered, null);

        Answer answer = verify(agent, "lying/tier", producer("ses_1", claimed, null));

        assertThat(answer.at("/accepted").asBoolean()).as(answer.toString()).isTrue();
        assertThat(lastAsked().model()).isEqualTo(graderModel);
        assertThat(answer.at("/grading/tier").asString())
                .isEqualTo(
                        Map.of("small", "fast", "middle", "medium", "large", "heavy")
                                .get(graderModel));
    }

    @Test
    void anOrchestratorsWordAboutItsProducerCounts() {
        verify(
                client.as("dev-orchestrator"),
                "lying/orchestrator",
                producer("ses_1", "fast", null));

        assertThat(lastAsked().model()).isEqualTo("small");
    }

    @ParameterizedTest(name = "registered {0}, claims {1}")
    @CsvSource({
        "acme/large, other/model-9, it is the same model",
        "fake/large, other/model-9, it is the same model",
        ", other/model-9, the producer's model is not declared"
    })
    void aModelThatIsOnlyClaimedMakesNoGraderIndependent(
            String registered, String claimed, String why) {
        demandAnotherModel("lying/model");
        int asked = PROVIDER.requests().size();

        Answer answer =
                verify(
                        agent("heavy", registered),
                        "lying/model",
                        producer("ses_1", "fast", claimed));

        assertThat(answer.at("/accepted").asBoolean()).as(answer.toString()).isFalse();
        assertThat(answer.at("/verdict/reasons").toString())
                .contains("grader is not independent of the producer: " + why);
        assertThat(answer.at("/receipt").isNull()).isTrue();
        assertThat(PROVIDER.requests()).as("nobody is asked").hasSize(asked);
    }

    @Test
    void aRegisteredOtherModelIsIndependentWhateverTheBodySays() {
        demandAnotherModel("lying/model");

        Answer answer =
                verify(
                        agent("heavy", "acme/coder-1"),
                        "lying/model",
                        producer("ses_1", "fast", "fake/large"));

        assertThat(answer.at("/accepted").asBoolean()).as(answer.toString()).isTrue();
        assertThat(lastAsked().model()).isEqualTo("large");
    }

    @ParameterizedTest
    @CsvSource({"ses_1", "dev-orchestrator", "dev-admin", "countersign"})
    void anotherNameInTheBodyMakesNobodyElsesExam(String claimed) {
        Answer answer =
                verify(
                        agent(null, null),
                        "lying/identity",
                        new HashMap<>(Map.of("id", claimed, "drafterId", "somebody-else")));

        assertThat(answer.at("/accepted").asBoolean()).as(answer.toString()).isTrue();
        assertThat(answer.at("/verdict/assurance").asString()).isEqualTo("self");
        Answer merge =
                client.as("dev-ci")
                        .post(
                                "/v1/receipts/" + answer.at("/receipt/id").asString() + "/consume",
                                Map.of(
                                        "changeSet",
                                        Map.of(
                                                "sha256",
                                                answer.at("/receipt/changeSetSha256").asString())));
        assertThat(merge.status()).isEqualTo(403);
        assertThat(merge.at("/code").asString()).isEqualTo("assurance-too-low");
    }

    private static Received lastAsked() {
        return PROVIDER.requests().getLast();
    }

    private void demandAnotherModel(String project) {
        Answer put =
                client.as("dev-admin")
                        .put(
                                "/v1/projects/" + project,
                                Map.of("grader", Map.of("independence", "model")));
        assertThat(put.status()).as(put.toString()).isBetween(200, 299);
    }

    /** An agent with a key of its own, registered with what an administrator knows of it. */
    private ServiceClient agent(String tier, String model) {
        String id = "agent-" + tier + "-" + (model == null ? "" : model.replace('/', '-'));
        Map<String, Object> principal = new HashMap<>();
        principal.put("id", id);
        principal.put("kind", "agent");
        principal.put("roles", List.of("submitter", "requester", "reader"));
        principal.put("projects", List.of("*"));
        principal.put("tier", tier);
        principal.put("model", model);
        ServiceClient admin = client.as("dev-admin");
        Answer stored = admin.put("/v1/principals/" + id, principal);
        assertThat(stored.status()).as(stored.toString()).isBetween(200, 299);
        return client.as(
                admin.post("/v1/principals/" + id + "/keys", "{}").at("/secret").asString());
    }

    private static Map<String, Object> producer(String id, String tier, String model) {
        Map<String, Object> producer = new HashMap<>();
        producer.put("id", id);
        producer.put("tier", tier);
        producer.put("model", model);
        return producer;
    }

    private static Answer verify(
            ServiceClient caller, String project, Map<String, Object> producer) {
        Answer answer =
                caller.with("Prefer", "wait=60")
                        .post(
                                "/v1/verifications",
                                Work.added(project, producer, "criteria: It greets.", "hello"));
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        return answer;
    }
}
