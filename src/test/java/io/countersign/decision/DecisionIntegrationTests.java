package io.countersign.decision;

import static org.assertj.core.api.Assertions.assertThat;

import io.countersign.kernel.CanonicalJson;
import io.countersign.kernel.Sha256;
import io.countersign.support.IntegrationTest;
import io.countersign.support.ServiceClient;
import io.countersign.support.ServiceClient.Answer;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.simple.JdbcClient;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

@IntegrationTest
class DecisionIntegrationTests {
    private static final String HOLDS =
            """
            {"schema": "verify_gate.verdict.v1", "drafter_id": "author", "producer_id": "reviewer",
             "lenses": [{"lens": "correctness", "verdict": "holds", "probe": "ran it"}]}
            """;
    private static final String REFUTED =
            """
            {"schema": "verify_gate.verdict.v1", "drafter_id": "author", "producer_id": "reviewer",
             "lenses": [{"lens": "correctness", "verdict": "refuted", "findings": [
               {"severity": "high", "claim": "drops a token",
                "evidence": {"ref": "src/x.py:1", "literal": "return text[1:]"}}]}]}
            """;
    private static final String CONTENT = "def f(text):\n    return text[1:]\n";

    @Autowired ServiceClient client;
    @Autowired JdbcClient jdbc;

    @Test
    void aPassOfAnEligibleJudgeEarnsAReceiptThatIsConsumedOnce() {
        Answer decision = decide(request("dec/pass", HOLDS));

        assertThat(decision.status()).isEqualTo(200);
        assertThat(decision.at("/exitCode").asInt()).isZero();
        assertThat(decision.at("/decision").asString()).isEqualTo("pass");
        JsonNode receipt = decision.at("/receipt");
        assertThat(receipt.path("assurance").asString()).isEqualTo("independent");
        assertThat(receipt.path("treeSha256").isNull()).isTrue();
        assertThat(receipt.path("decisionId")).isEqualTo(decision.at("/id"));
        assertThat(receipt.path("attestationRef")).isEqualTo(decision.at("/attestation/id"));
        assertThat(consume(receipt, "treeSha256", "a".repeat(64)).status()).isEqualTo(412);
        assertThat(consume(receipt, "minAssurance", "independent").status()).isEqualTo(200);
        assertThat(consume(receipt, "purpose", "again").status()).isEqualTo(409);
        assertThat(client.get("/v1/decisions/" + decision.at("/id").asString()).json())
                .isEqualTo(decision.json());
    }

    @Test
    void aBlockHasExitCodeOneAndAFailedAttestationAndNoReceipt() {
        Answer decision = decide(request("dec/block", REFUTED));

        assertThat(decision.at("/exitCode").asInt()).isEqualTo(1);
        assertThat(decision.at("/blocking").asBoolean()).isTrue();
        assertThat(decision.at("/blockFindings/0/ref").asString()).isEqualTo("src/x.py:1");
        assertThat(decision.at("/receipt").isNull()).isTrue();
        assertThat(decision.at("/attestation/id").isString()).isTrue();
    }

    @Test
    void nothingIneligibleIsAttestedOrReceipted() {
        ObjectNode inside = request("dec/inside", HOLDS);
        ((ObjectNode) inside.get("attestation")).put("anchor_kind", "self");
        ObjectNode ungranted = request("dec/inside", HOLDS);
        ((ObjectNode) ungranted.get("attestation")).put("anchor_kind", "human_external");
        ObjectNode empty = request("dec/inside", HOLDS);
        empty.putObject("changeSet").putArray("files");

        for (ObjectNode request : List.of(inside, ungranted, empty)) {
            Answer decision = decide(request);
            assertThat(decision.at("/exitCode").asInt()).isZero();
            assertThat(decision.at("/receipt").isNull()).isTrue();
            assertThat(decision.at("/attestation").isNull()).isTrue();
        }
    }

    @Test
    void onlyAnAdministratorOverridesAndTheAuditSaysSo() {
        ObjectNode request = request("dec/override", REFUTED);
        request.put("override", "known false alarm");
        assertThat(decide(request).status()).isEqualTo(403);
        ((ObjectNode) request.get("attestation")).put("attestor", "dev-admin");

        Answer decision = client.as("dev-admin").post("/v1/decisions", request);

        assertThat(decision.at("/exitCode").asInt()).isZero();
        assertThat(decision.at("/decision").asString()).isEqualTo("pass");
        assertThat(decision.at("/overridden/by").asString()).isEqualTo("dev-admin");
        assertThat(decision.at("/receipt/overridden").asBoolean()).isTrue();
        assertThat(
                        jdbc.sql(
                                        """
                                        select detail->>'reason' from audit_event
                                        where action = 'decision.overridden' and subject = :id
                                        """)
                                .param("id", decision.at("/id").asString())
                                .query(String.class)
                                .single())
                .isEqualTo("known false alarm");
    }

    @Test
    void identityAndSubjectAreCheckedBeforeTheRules() {
        ObjectNode foreign = request("dec/identity", "{}");
        ((ObjectNode) foreign.get("attestation")).put("attestor", "somebody");
        ObjectNode subject = request("dec/identity", HOLDS);
        ((ObjectNode) subject.get("attestation")).put("subject", "b".repeat(64));

        assertThat(decide(foreign).status()).isEqualTo(403);
        assertThat(decide(subject).status()).isEqualTo(422);
        assertThat(decide(subject).at("/code").asString()).isEqualTo("subject-mismatch");
        String hash = decide(request("dec/identity", HOLDS)).at("/changeSetSha256").asString();
        ((ObjectNode) subject.get("attestation")).put("subject", hash);
        assertThat(decide(subject).at("/exitCode").asInt()).isZero();
    }

    @Test
    void aReceiptThatIsNotValidIsExitCodeSix() {
        Answer first = decide(request("dec/receipt", HOLDS));
        ObjectNode again = request("dec/receipt", HOLDS);
        again.set("receipt", first.at("/receipt"));
        assertThat(decide(again).at("/exitCode").asInt()).isZero();
        consume(first.at("/receipt"), "purpose", "merge");

        Answer spent = decide(again);
        again.put("receipt", "nonsense");

        assertThat(spent.at("/exitCode").asInt()).isEqualTo(6);
        assertThat(spent.at("/receipt").isNull()).isTrue();
        assertThat(spent.at("/reasons/0").asString()).contains("consumed by dev-ci");
        assertThat(decide(again).at("/exitCode").asInt()).isEqualTo(6);
    }

    @Test
    void aReceiptOfAnotherProjectOrOfLittleWorthOrForgedIsExitCodeSix() {
        JsonNode elsewhere = decide(request("dec/elsewhere", HOLDS)).at("/receipt");
        JsonNode cheap =
                agent("dec-agent-1")
                        .post("/v1/decisions", request("dec/worth", HOLDS))
                        .at("/receipt");
        ObjectNode forged =
                (ObjectNode) decide(request("dec/worth", HOLDS)).at("/receipt").deepCopy();
        forged.put("verdictSha256", "0".repeat(64));

        assertThat(cheap.path("assurance").asString()).isEqualTo("self");
        assertThat(withReceipt("dec/worth", elsewhere)).contains("it is of another project");
        assertThat(withReceipt("dec/worth", elsewhere.get("id"))).contains("of another project");
        assertThat(withReceipt("dec/worth", cheap)).contains("at least baseline");
        assertThat(withReceipt("dec/worth", forged)).contains("not the receipt that was issued");
    }

    /** The first reason of a decision of exit code 6. */
    private String withReceipt(String project, JsonNode receipt) {
        ObjectNode request = request(project, HOLDS);
        request.set("receipt", receipt);
        Answer decision = decide(request);
        assertThat(decision.at("/exitCode").asInt()).as("%s", decision).isEqualTo(6);
        return decision.at("/reasons/0").asString();
    }

    @Test
    void whatAnAgentAttestsOrHasReviewedIsWorthSelfWhomeverItCallsTheDrafter() {
        ServiceClient agent = agent("dec-agent-2");
        Answer attested = agent.post("/v1/decisions", request("dec/agent", HOLDS));
        Answer opened = agent.post("/v1/reviews", external("dec/agent", "dev-orchestrator"));
        String id = opened.at("/id").asString();
        String verdict = HOLDS.replace("reviewer", "dev-orchestrator");
        assertThat(client.post("/v1/reviews/" + id + "/verdict", verdict).status()).isEqualTo(200);
        ObjectNode cited = request("dec/agent", HOLDS);
        cited.remove(List.of("verdict", "changeSet"));
        cited.put("reviewId", id);
        ((ObjectNode) cited.get("attestation"))
                .put("producer_id", "dev-orchestrator")
                .put("anchor_kind", "ci");
        Answer decided = client.as("dev-ci").post("/v1/decisions", cited);

        for (Answer decision : List.of(attested, decided)) {
            JsonNode receipt = decision.at("/receipt");
            assertThat(receipt.path("assurance").asString()).as("%s", decision).isEqualTo("self");
            Answer refused = consume(receipt, "purpose", "merge");
            assertThat(refused.status()).isEqualTo(403);
            assertThat(refused.at("/code").asString()).isEqualTo("assurance-too-low");
        }
    }

    /** An agent that somebody granted everything that makes decisions. */
    private ServiceClient agent(String id) {
        ServiceClient admin = client.as("dev-admin");
        admin.post(
                "/v1/principals",
                Map.of(
                        "id", id,
                        "kind", "agent",
                        "roles", List.of("requester", "submitter", "attestor", "reader"),
                        "anchorKinds", List.of("harness_subagent"),
                        "projects", List.of("*")));
        return client.as(admin.post("/v1/principals/" + id + "/keys").at("/secret").asString());
    }

    @Test
    void aReviewStaysInItsProject() {
        ServiceClient admin = client.as("dev-admin");
        admin.post(
                "/v1/principals",
                Map.of(
                        "id",
                        "dec-far-judge",
                        "kind",
                        "service",
                        "roles",
                        List.of("judge"),
                        "projects",
                        List.of("dec/far")));
        Answer unreachable = client.post("/v1/reviews", external("dec/near", "dec-far-judge"));
        ObjectNode cited = request("dec/elsewhere", HOLDS);
        cited.remove("verdict");
        cited.put("reviewId", review("dev-orchestrator").at("/id").asString());

        assertThat(unreachable.status()).isEqualTo(422);
        assertThat(unreachable.at("/errors/0/pointer").asString()).isEqualTo("/judge");
        assertThat(decide(cited).status()).isEqualTo(422);
        assertThat(decide(cited).at("/errors/0/pointer").asString()).isEqualTo("/project");
    }

    @Test
    void theDigestOfABundleIsThatOfWhatIsShown() {
        String secret = "gh" + "p_" + "a1B2".repeat(9);
        Map<String, Object> request = new HashMap<>(external("dec/review", "dev-orchestrator"));
        request.put("evidence", List.of(Map.of("ref", "a.txt:1", "literal", secret)));

        Answer review = client.post("/v1/reviews", request);

        assertThat(review.text()).doesNotContain(secret);
        assertThat(review.at("/bundleSha256").asString())
                .isEqualTo(CanonicalJson.sha256(review.at("/bundle")).hex());
    }

    @Test
    void aQuoteIsLookedUpInTheFilesThatWereVerifiedHere() {
        ObjectNode work = ServiceClient.JSON.createObjectNode();
        work.put("project", "dec/known");
        work.put("acceptance", "[acceptance]\ncheck: fileExists path=src/x.py\n[/acceptance]");
        work.putObject("artefact")
                .put("finalReturnText", "done")
                .putArray("changedFiles")
                .addObject()
                .put("path", "src/x.py")
                .put("status", "added");
        work.putObject("workspace")
                .putObject("files")
                .put("src/x.py", CONTENT)
                .put("README.md", "read me");
        Answer verified = client.with("Prefer", "wait=60").post("/v1/verifications", work);

        Answer quoted = decide(request("dec/known", REFUTED));
        Answer invented = decide(request("dec/known", REFUTED.replace("text[1:]", "text[2:]")));

        assertThat(quoted.at("/changeSetSha256")).isEqualTo(verified.at("/changeSet/sha256"));
        assertThat(quoted.at("/exitCode").asInt()).isEqualTo(1);
        assertThat(invented.at("/exitCode").asInt()).isZero();
        assertThat(invented.at("/demoted/0/why").asString())
                .isEqualTo("the quoted text does not occur in src/x.py");
        assertThat(invented.at("/receipt").isNull()).isTrue();
        String spelt =
                REFUTED.replace("text[1:]", "text[2:]").replace("src/x.py:1", "./src//x.py#L1");
        assertThat(decide(request("dec/known", spelt)).at("/demoted/0/why").asString())
                .isEqualTo("the quoted text does not occur in src/x.py");
        String beside = REFUTED.replace("src/x.py:1", "README.md:1");
        assertThat(decide(request("dec/known", beside)).at("/exitCode").asInt())
                .as("nothing binds a file beside the change-set to what the judge saw")
                .isEqualTo(1);
        assertThat(
                        decide(request("dec/other", REFUTED.replace("text[1:]", "text[2:]")))
                                .at("/exitCode")
                                .asInt())
                .as("another project's files are not known")
                .isEqualTo(1);
    }

    @Test
    void unknownMembersOfTheEnvelopeAreRefusedAndThoseOfTheDocumentsAreNot() {
        ObjectNode request = request("dec/members", HOLDS);
        ((ObjectNode) request.get("verdict")).put("model", "m");
        ((ObjectNode) request.get("attestation")).put("note", "n");
        assertThat(decide(request).at("/exitCode").asInt()).isZero();
        request.put("requireblocking", true);

        assertThat(decide(request).status()).isEqualTo(422);
        assertThat(decide(request).at("/code").asString()).isEqualTo("unknown-field");
    }

    @Test
    void aReviewIsAnsweredByItsJudgeAloneAndOnce() {
        String path = "/v1/reviews/" + review("dev-orchestrator").at("/id").asString();
        String own = HOLDS.replace("reviewer", "dev-orchestrator");

        assertThat(client.as("dev-admin").post(path + "/verdict", own).status()).isEqualTo(403);
        assertThat(client.post(path + "/verdict", HOLDS).status()).isEqualTo(403);
        assertThat(client.post(path + "/verdict", own.replace("author", "x")).status())
                .isEqualTo(422);
        assertThat(client.post(path + "/verdict", own).at("/status").asString())
                .isEqualTo("answered");
        assertThat(client.post(path + "/verdict", own).status()).isEqualTo(409);
    }

    @Test
    void aDecisionCitesTheVerdictOfAReview() {
        String id = review("dev-orchestrator").at("/id").asString();
        ObjectNode cited = request("dec/review", HOLDS.replace("reviewer", "dev-orchestrator"));
        cited.remove(List.of("verdict", "changeSet"));
        cited.put("reviewId", id);
        ((ObjectNode) cited.get("attestation"))
                .put("producer_id", "dev-orchestrator")
                .put("anchor_kind", "ci");
        ServiceClient ci = client.as("dev-ci");
        assertThat(ci.post("/v1/decisions", cited).at("/exitCode").asInt())
                .as("there is no verdict yet")
                .isEqualTo(4);
        client.post(
                "/v1/reviews/" + id + "/verdict", HOLDS.replace("reviewer", "dev-orchestrator"));

        Answer decision = ci.post("/v1/decisions", cited);

        assertThat(decision.at("/exitCode").asInt()).isZero();
        assertThat(decision.at("/reviewId").asString()).isEqualTo(id);
        assertThat(decision.at("/receipt/id").isString()).isTrue();
    }

    @Test
    void aGraderThatCannotBeReachedDecidesFour() {
        Map<String, Object> request =
                Map.of(
                        "project", "dec/grader",
                        "artifact", "pr-12",
                        "evidence", List.of(Map.of("ref", "src/x.py:1", "literal", "x")),
                        "drafterId", "author",
                        "changeSet", changeSet(),
                        "backend", "grader");

        Answer review = client.post("/v1/reviews", request);

        assertThat(review.status()).isEqualTo(201);
        assertThat(review.at("/status").asString()).isEqualTo("decided");
        assertThat(review.at("/decision/exitCode").asInt()).isEqualTo(4);
        assertThat(review.at("/decision/anchorKind").asString()).isEqualTo("stateless_api");
    }

    @Test
    void aBundleIsSealedOrRefusedByItsKeys() {
        Answer sealed = client.post("/v1/bundles/seal", "{\"artifact\": \"a\", \"evidence\": []}");
        Answer refused =
                client.post(
                        "/v1/bundles/seal",
                        "{\"artifact\": \"a\", \"evidence\": [{\"answerKey\": 1}]}");

        assertThat(sealed.json().propertyNames()).containsExactly("schema", "artifact", "evidence");
        assertThat(refused.status()).isEqualTo(422);
        assertThat(refused.at("/errors/0/pointer").asString()).isEqualTo("/evidence/0/answerKey");
    }

    @Test
    void theRepeatOfADecisionIsTheSameDecision() {
        ServiceClient once = client.with("Idempotency-Key", "decision-1");
        ObjectNode request = request("dec/repeat", HOLDS);

        assertThat(once.post("/v1/decisions", request).text())
                .isEqualTo(once.post("/v1/decisions", request).text());
        assertThat(client.get("/v1/decisions?project=dec/repeat").at("/items")).hasSize(1);
    }

    @Test
    void aProducerDecidesNothing() {
        ServiceClient producer = client.as("dev-producer");

        assertThat(producer.post("/v1/decisions", request("dec/roles", HOLDS)).status())
                .isEqualTo(403);
        assertThat(producer.post("/v1/reviews", "{}").status()).isEqualTo(403);
        assertThat(producer.post("/v1/reviews/x/verdict", HOLDS).status()).isEqualTo(403);
    }

    private Answer review(String judge) {
        return client.post("/v1/reviews", external("dec/review", judge));
    }

    private static Map<String, Object> external(String project, String judge) {
        Map<String, Object> review = new HashMap<>(SampleReview.of(project));
        review.put("judge", judge);
        review.put("backend", "external");
        review.put("changeSet", changeSet());
        return review;
    }

    private Answer decide(ObjectNode request) {
        return client.post("/v1/decisions", request);
    }

    private Answer consume(JsonNode receipt, String name, String value) {
        ObjectNode demand = ServiceClient.JSON.createObjectNode();
        demand.putObject("changeSet").set("sha256", receipt.get("changeSetSha256"));
        demand.put(name, value);
        return client.as("dev-ci")
                .post("/v1/receipts/" + receipt.path("id").asString() + "/consume", demand);
    }

    private static Map<String, Object> changeSet() {
        return Map.of(
                "files", List.of(Map.of("path", "src/x.py", "sha256", Sha256.of(CONTENT).hex())));
    }

    private static ObjectNode request(String project, String verdict) {
        ObjectNode request = ServiceClient.JSON.createObjectNode();
        request.put("project", project);
        request.set("verdict", ServiceClient.JSON.readTree(verdict));
        request.putObject("attestation")
                .put("schema", "verify_gate.attestation.v1")
                .put("anchor_kind", "harness_subagent")
                .put("anchor_id", "sub-1")
                .put("producer_id", "reviewer")
                .put("context_isolated", true);
        request.set("changeSet", ServiceClient.JSON.valueToTree(changeSet()));
        return request;
    }
}
