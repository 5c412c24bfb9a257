package io.countersign.attestation;

import static org.assertj.core.api.Assertions.assertThat;

import io.countersign.artefact.ChangeSet;
import io.countersign.artefact.ChangeSetHash;
import io.countersign.artefact.ChangedFile;
import io.countersign.audit.HeadSigner;
import io.countersign.gate.Assurance;
import io.countersign.kernel.Ids;
import io.countersign.kernel.ProjectId;
import io.countersign.kernel.Sha256;
import io.countersign.support.IntegrationTest;
import io.countersign.support.ServiceClient;
import io.countersign.support.ServiceClient.Answer;
import io.countersign.verification.VerificationId;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import tools.jackson.databind.JsonNode;

import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;

@IntegrationTest
class AttestationIntegrationTests {
    private static final String QUERY = "/v1/attestations/query";

    @Autowired ServiceClient client;
    @Autowired Attestations attestations;
    @Autowired AttestationMember member;
    @Autowired SigningKeys keys;
    @Autowired HeadSigner headSigner;
    @Autowired Ids ids;
    @Autowired InstantSource clock;
    @Autowired JdbcClient jdbc;
    @Autowired PlatformTransactionManager transactions;

    @Test
    void anEnvelopeVerifiesWithTheKeySetAlone() {
        Attested attested = attest("att/offline", "a", List.of());

        Answer answer = client.get(path(attested));

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.at("/payloadType").asString()).isEqualTo("application/vnd.in-toto+json");
        assertThat(verifies(answer.json())).isTrue();
        JsonNode statement = statement(answer.json());
        assertThat(statement.at("/subject/0/digest/sha256").asString())
                .isEqualTo(attested.changeSet().hex());
        assertThat(statement.at("/predicate/verificationResult").asString()).isEqualTo("PASSED");
    }

    @Test
    void whatWasSignedBeforeARotationStillVerifiesAfterIt() {
        Attested before = attest("att/rotation", "before", List.of());
        String oldKey = client.get(path(before)).at("/signatures/0/keyid").asString();

        Answer rotated = client.as("dev-admin").post("/v1/signing-keys/rotate");
        Attested after = attest("att/rotation", "after", List.of());

        assertThat(rotated.status()).isEqualTo(201);
        assertThat(rotated.at("/keyId").asString()).isNotEqualTo(oldKey);
        assertThat(client.get(path(after)).at("/signatures/0/keyid").asString())
                .isEqualTo(rotated.at("/keyId").asString());
        assertThat(verifies(client.get(path(before)).json())).isTrue();
        assertThat(verifies(client.get(path(after)).json())).isTrue();
        assertThat(keys.verify(oldKey, "x", new byte[1], new byte[64])).isFalse();
        assertThat(client.as("dev-admin").get("/v1/signing-keys").json())
                .anyMatch(
                        k ->
                                k.path("keyId").asString().equals(oldKey)
                                        && !k.path("retiredAt").isNull());
        assertThat(client.as("dev-orchestrator").post("/v1/signing-keys/rotate").status())
                .isEqualTo(403);
    }

    @Test
    void theRepeatOfARotationRotatesNothing() {
        ServiceClient keyed = client.as("dev-admin").with("Idempotency-Key", "rotate-once");

        Answer first = keyed.post("/v1/signing-keys/rotate");
        Answer repeat = keyed.post("/v1/signing-keys/rotate");

        assertThat(first.status()).as(first.text()).isEqualTo(201);
        assertThat(repeat.text()).isEqualTo(first.text());
        assertThat(repeat.header("Idempotency-Replayed")).contains("true");
        assertThat(client.as("dev-admin").get("/v1/signing-keys").at("/0/keyId"))
                .isEqualTo(first.at("/keyId"));
    }

    @Test
    void privateKeysAreNotReadableInTheDatabase() {
        byte[] stored =
                jdbc.sql("select private_key from signing_key where retired_at is null")
                        .query(byte[].class)
                        .single();
        String pkcs8Prefix = "302e020100300506032b6570";

        assertThat(java.util.HexFormat.of().formatHex(stored)).doesNotContain(pkcs8Prefix);
    }

    @Test
    void anyBitOfTheEnvelopeCounts() {
        JsonNode envelope = client.get(path(attest("att/bits", "bits", List.of()))).json();
        byte[] payload = Base64.getDecoder().decode(envelope.path("payload").asString());
        byte[] sig = Base64.getDecoder().decode(envelope.at("/signatures/0/sig").asString());
        String keyId = envelope.at("/signatures/0/keyid").asString();

        assertThat(keys.verify(keyId, Dsse.IN_TOTO, payload, sig)).isTrue();
        assertThat(keys.verify(keyId, "text/plain", payload, sig)).isFalse();
        for (int bit = 0; bit < payload.length * 8; bit += 7) {
            payload[bit / 8] ^= (byte) (1 << bit % 8);
            assertThat(keys.verify(keyId, Dsse.IN_TOTO, payload, sig)).isFalse();
            payload[bit / 8] ^= (byte) (1 << bit % 8);
        }
    }

    @Test
    void oneQueryAnswersForManyDigests() {
        Attested one = attest("att/query", "one", List.of());
        Attested two =
                attest("att/query", "two", List.of(new Summary.TestRun("0 t", true, 1, 0, 0)));
        List<String> digests =
                IntStream.range(0, 497).mapToObj(i -> "sha256:" + Sha256.of("other" + i)).toList();
        List<String> asked = new java.util.ArrayList<>(digests);
        asked.add("sha256:" + one.changeSet());
        asked.add("sha256:" + Sha256.of("two"));
        asked.add("sha256:" + one.changeSet());

        Answer answer = client.post(QUERY, Map.of("digests", asked));

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.at("/items").valueStream().map(i -> i.path("verificationId").asString()))
                .containsExactly(two.id().toString(), two.id().toString(), one.id().toString());
        assertThat(answer.at("/items"))
                .allSatisfy(item -> assertThat(verifies(item.path("envelope"))).isTrue());
        assertThat(answer.at("/next").isNull()).isTrue();
    }

    @Test
    void refusesTooManyDigestsAndNonsense() {
        String digest = "sha256:" + Sha256.of("x");

        assertThat(query(Collections.nCopies(501, digest)).status()).isEqualTo(422);
        assertThat(query(List.of()).status()).isEqualTo(422);
        assertThat(query(List.of("sha256:12")).at("/errors/0/pointer").asString())
                .isEqualTo("/digests/0");
        assertThat(query(List.of("md5:" + "0".repeat(64))).status()).isEqualTo(422);
        assertThat(client.post(QUERY, "{\"digests\": [], \"digest\": 1}").status()).isEqualTo(422);
    }

    @Test
    void onlyAPublicProjectIsReadableWithoutAToken() {
        Attested attested = attest("att/shown", "shown", List.of());
        ServiceClient nobody = client.anonymous();
        Map<String, Object> query = Map.of("digests", List.of("sha256:" + attested.changeSet()));
        assertThat(nobody.get(path(attested)).status()).isEqualTo(401);
        assertThat(nobody.post(QUERY, query).at("/items")).isEmpty();

        Answer put =
                client.as("dev-admin")
                        .put("/v1/projects/att/shown", "{\"attestations\": {\"public\": true}}");

        assertThat(put.status()).isEqualTo(200);
        assertThat(nobody.get(path(attested)).status()).isEqualTo(200);
        assertThat(nobody.post(QUERY, query).at("/items")).hasSize(1);
        assertThat(
                        client.as("dev-admin")
                                .put(
                                        "/v1/projects/att/shown",
                                        "{\"attestations\": {\"public\": \"yes\"}}")
                                .status())
                .isEqualTo(422);
    }

    @Test
    void theKeySetIsForEverybodyAndHoldsNoPrivatePart() {
        Answer answer = client.anonymous().get("/.well-known/jwks.json");

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.header("Cache-Control"))
                .hasValueSatisfying(v -> assertThat(v).contains("public"));
        JsonNode key = answer.at("/keys/0");
        assertThat(key.propertyNames())
                .containsExactlyInAnyOrder("kty", "crv", "x", "kid", "use", "alg");
    }

    @Test
    void theVerificationMemberNamesTheSummaryFirst() {
        Attested attested =
                attest("att/member", "member", List.of(new Summary.TestRun("0 t", true, 1, 0, 0)));

        assertThat(member.values(List.of(attested.id())).get(attested.id()))
                .isInstanceOfSatisfying(
                        AttestationMember.View.class,
                        view -> {
                            assertThat(view.result()).isEqualTo("PASSED");
                            assertThat(view.predicateTypes())
                                    .containsExactly(
                                            Statements.VERIFICATION_SUMMARY,
                                            Statements.TEST_RESULT);
                            assertThat(client.get(view.href()).status()).isEqualTo(200);
                        });
    }

    @Test
    void auditHeadsAreSignedWithTheSameKeys() {
        byte[] head = "{}".getBytes(StandardCharsets.UTF_8);
        HeadSigner.Signature signature = headSigner.sign(head);

        assertThat(headSigner.verify(head, signature)).isTrue();
        assertThat(headSigner.verify("{ }".getBytes(StandardCharsets.UTF_8), signature)).isFalse();
        assertThat(headSigner.verify(head, new HeadSigner.Signature(signature.keyId(), "!")))
                .isFalse();
    }

    private record Attested(VerificationId id, Sha256 changeSet) {}

    private Attested attest(String project, String content, List<Summary.TestRun> tests) {
        List<ChangedFile> files =
                List.of(
                        new ChangedFile(
                                "src/a.js", ChangedFile.Status.MODIFIED, null, Sha256.of(content)));
        ChangeSet.Known changeSet = new ChangeSet.Known(files, ChangeSetHash.of(files));
        VerificationId id = new VerificationId(ids.next());
        Summary summary =
                new Summary(
                        new ProjectId(project),
                        new Summary.Origin.Verification(id),
                        new Summary.Policy("urn:countersign:dod", Sha256.of("dod")),
                        changeSet,
                        null,
                        Assurance.BASELINE,
                        true,
                        false,
                        tests,
                        clock.instant());
        new TransactionTemplate(transactions)
                .executeWithoutResult(status -> attestations.attest(summary));
        return new Attested(id, changeSet.sha256());
    }

    private Answer query(List<String> digests) {
        return client.post(QUERY, Map.of("digests", digests));
    }

    private static String path(Attested attested) {
        return "/v1/verifications/" + attested.id() + "/attestation";
    }

    /** As a consumer does it: with the published keys and nothing else. */
    private boolean verifies(JsonNode envelope) {
        JsonNode signature = envelope.at("/signatures/0");
        JsonNode key =
                client.anonymous()
                        .get("/.well-known/jwks.json")
                        .at("/keys")
                        .valueStream()
                        .filter(k -> Objects.equals(k.get("kid"), signature.get("keyid")))
                        .findFirst()
                        .orElseThrow();
        byte[] message =
                Dsse.pae(
                        envelope.path("payloadType").asString(),
                        Base64.getDecoder().decode(envelope.path("payload").asString()));
        return Ed25519.verify(
                Base64.getUrlDecoder().decode(key.path("x").asString()),
                message,
                Base64.getDecoder().decode(signature.path("sig").asString()));
    }

    private static JsonNode statement(JsonNode envelope) {
        return ServiceClient.JSON.readTree(
                Base64.getDecoder().decode(envelope.path("payload").asString()));
    }
}
