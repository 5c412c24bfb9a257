package io.countersign.receipt;

import static org.assertj.core.api.Assertions.assertThat;

import io.countersign.kernel.CanonicalJson;
import io.countersign.support.IntegrationTest;
import io.countersign.support.ServiceClient;
import io.countersign.support.ServiceClient.Answer;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** From a verdict of the gate to the merge, and the attacks on the way. */
@IntegrationTest
class TrustIntegrationTests {
    private static final String EASY =
            "[acceptance]\ncheck: fileExists path=README.md\n[/acceptance]";

    @Autowired ServiceClient client;

    @Test
    void aPassOfAnotherPrincipalsExamIsAttestedAndBuysOneMerge() {
        Answer verified = verify("dev-orchestrator", "trust/merge", EASY, "ses_1");
        JsonNode receipt = verified.at("/receipt");

        assertThat(verified.at("/verdict/assurance").asString()).isEqualTo("independent");
        assertThat(receipt.path("attestationRef")).isEqualTo(verified.at("/attestation/id"));
        assertThat(receipt.path("dodSha256")).isEqualTo(verified.at("/dod/sha256"));
        assertThat(receipt.path("verdictSha256").asString())
                .isEqualTo(CanonicalJson.sha256(verified.at("/verdict")).hex());
        assertThat(consume(receipt, "independent").status()).isEqualTo(200);
        assertThat(consume(receipt, null).status()).isEqualTo(409);
    }

    @Test
    void aFailedVerdictIsAttestedAndHasNoReceipt() {
        Answer verified =
                verify(
                        "dev-orchestrator",
                        "trust/fail",
                        EASY.replace("README.md", "missing.md"),
                        "ses_1");

        assertThat(verified.at("/accepted").asBoolean()).isFalse();
        assertThat(verified.at("/attestation/result").asString()).isEqualTo("FAILED");
        assertThat(verified.at("/receipt").isNull()).isTrue();
    }

    @Test
    void aSkipHasNeitherAttestationNorReceipt() {
        ObjectNode request = request("trust/skip", "", "ses_1");
        request.remove("acceptance");
        request.put("trivial", true);

        Answer skipped = post("dev-orchestrator", request);

        assertThat(skipped.at("/verdict/skipped").asBoolean()).isTrue();
        assertThat(skipped.at("/attestation").isNull()).isTrue();
        assertThat(skipped.at("/receipt").isNull()).isTrue();
    }

    @Test
    void anEasyExamOfTheProducersOwnBuysNoMerge() {
        Answer verified = verify("dev-producer", "trust/easy", EASY, "somebody-else");

        assertThat(verified.at("/verdict/pass").asBoolean()).isTrue();
        assertThat(verified.at("/verdict/assurance").asString()).isEqualTo("self");
        Answer refused = consume(verified.at("/receipt"), null);
        assertThat(refused.status()).isEqualTo(403);
        assertThat(refused.at("/code").asString()).isEqualTo("assurance-too-low");
        assertThat(consume(verified.at("/receipt"), "self").status()).isEqualTo(403);
    }

    @Test
    void aWeakenedTestThatTheChangeListLeavesOutShowsInTheTree() {
        ObjectNode honest = request("trust/tree", EASY, "ses_1");
        ObjectNode weakened = request("trust/tree", EASY, "ses_1");
        ((ObjectNode) weakened.at("/workspace/files")).put("test/a.test.js", "// weakened\n");
        JsonNode expected = post("dev-orchestrator", honest).at("/changeSet");
        JsonNode receipt = post("dev-orchestrator", weakened).at("/receipt");
        assertThat(receipt.path("changeSetSha256")).isEqualTo(expected.path("sha256"));

        ObjectNode demand = demand(receipt);
        demand.set("treeSha256", expected.get("treeSha256"));

        Answer refused = client.as("dev-ci").post(path(receipt), demand);
        assertThat(refused.status()).isEqualTo(412);
        assertThat(refused.at("/code").asString()).isEqualTo("tree-mismatch");
    }

    @Test
    void anotherExamThanTheDemandedOneBuysNoMerge() {
        JsonNode receipt = verify("dev-orchestrator", "trust/dod", EASY, "ses_1").at("/receipt");
        ObjectNode demand = demand(receipt);
        demand.put("requiredDodSha256", "d".repeat(64));

        assertThat(client.as("dev-ci").post(path(receipt), demand).at("/code").asString())
                .isEqualTo("dod-mismatch");
    }

    private Answer verify(String key, String project, String dod, String producer) {
        return post(key, request(project, dod, producer));
    }

    private Answer post(String key, ObjectNode request) {
        Answer answer = client.as(key).with("Prefer", "wait=60").post("/v1/verifications", request);
        assertThat(answer.status()).as("%s", answer).isEqualTo(200);
        return answer;
    }

    private Answer consume(JsonNode receipt, @Nullable String assurance) {
        ObjectNode demand = demand(receipt);
        demand.put("minAssurance", assurance);
        return client.as("dev-ci").post(path(receipt), demand);
    }

    private static String path(JsonNode receipt) {
        return "/v1/receipts/" + receipt.path("id").asString() + "/consume";
    }

    private static ObjectNode demand(JsonNode receipt) {
        ObjectNode demand = ServiceClient.JSON.createObjectNode();
        demand.putObject("changeSet").set("sha256", receipt.get("changeSetSha256"));
        return demand;
    }

    private static ObjectNode request(String project, String dod, String producer) {
        ObjectNode request = ServiceClient.JSON.createObjectNode();
        request.put("project", project);
        request.put("dispatch", "Write a README");
        request.put("acceptance", dod);
        request.putObject("producer").put("id", producer);
        request.putObject("artefact")
                .put("finalReturnText", "done")
                .putArray("changedFiles")
                .addObject()
                .put("path", "README.md")
                .put("status", "added");
        request.putObject("workspace")
                .putObject("files")
                .put("README.md", "hello\n")
                .put("test/a.test.js", "test\n");
        return request;
    }
}
