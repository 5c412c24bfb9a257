package io.countersign.receipt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.countersign.artefact.ChangeSetHash;
import io.countersign.artefact.WorkspacePath;
import io.countersign.attestation.Signer;
import io.countersign.attestation.Summary;
import io.countersign.gate.Assurance;
import io.countersign.kernel.CanonicalJson;
import io.countersign.kernel.Ids;
import io.countersign.kernel.ProjectId;
import io.countersign.kernel.Sha256;
import io.countersign.support.IntegrationTest;
import io.countersign.support.ServiceClient;
import io.countersign.support.ServiceClient.Answer;
import io.countersign.verification.VerificationId;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

@IntegrationTest
class ReceiptIntegrationTests {
    private static final Sha256 CONTENT = Sha256.of("content");
    private static final Sha256 TREE = Sha256.of("tree");
    private static final Sha256 DOD = Sha256.of("dod");
    private static final String OTHER = Sha256.of("other").hex();

    @Autowired ServiceClient client;
    @Autowired Receipts receipts;
    @Autowired Signer signer;
    @Autowired Ids ids;
    @Autowired JdbcClient jdbc;
    @Autowired PlatformTransactionManager transactions;

    @Test
    void ofAThousandConcurrentConsumptionsExactlyOneGetsIt() throws Exception {
        Receipt receipt = issue("rec/race", Assurance.INDEPENDENT);
        Semaphore inFlight = new Semaphore(100);
        Callable<String> consumption =
                () -> {
                    inFlight.acquire();
                    try {
                        return summary(answered(receipt));
                    } finally {
                        inFlight.release();
                    }
                };

        List<String> answers;
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<String>> futures =
                    IntStream.range(0, 1_000).mapToObj(i -> threads.submit(consumption)).toList();
            answers = futures.stream().map(ReceiptIntegrationTests::get).toList();
        }

        assertThat(
                        answers.stream()
                                .collect(
                                        Collectors.groupingBy(
                                                Function.identity(), Collectors.counting())))
                .isEqualTo(Map.of("200 - -", 1L, "409 receipt-replayed dev-ci", 999L));
    }

    /** A busy machine may answer 503, which tells a client to ask again. */
    private Answer answered(Receipt receipt) {
        Answer answer = consume(receipt, demand(receipt));
        return answer.status() == 503 ? answered(receipt) : answer;
    }

    private static String summary(Answer answer) {
        return answer.status()
                + " "
                + answer.at("/code").asString("-")
                + " "
                + (answer.status() == 200 ? "-" : answer.at("/consumedBy").asString("-"));
    }

    @Test
    void aConsumptionSaysWhatItSpentAndIsAudited() {
        Receipt receipt = issue("rec/consume", Assurance.BASELINE);

        Answer answer = consume(receipt, with(demand(receipt), "purpose", "merge PR 12\nnow"));

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.at("/exitCode").asInt()).isZero();
        assertThat(answer.at("/purpose").asString()).isEqualTo("merge PR 12 now");
        assertThat(answer.at("/receipt/id").asString()).isEqualTo(receipt.id().toString());
        Answer read = client.get("/v1/receipts/" + receipt.id());
        assertThat(read.at("/consumedBy").asString()).isEqualTo("dev-ci");
        assertThat(read.at("/nonce").asString()).isEqualTo(receipt.nonce());
        assertThat(
                        jdbc.sql("select principal from audit_event where subject = :id")
                                .param("id", receipt.id().toString())
                                .query(String.class)
                                .list())
                .containsExactly("dev-ci");
    }

    @Test
    void theSignatureCoversEveryMember() {
        Receipt receipt = issue("rec/signed", Assurance.BASELINE);
        ObjectNode document = (ObjectNode) client.get("/v1/receipts/" + receipt.id()).json();
        document.remove(List.of("signature", "consumedAt", "consumedBy", "purpose"));
        byte[] signature = Base64.getDecoder().decode(receipt.signature().sig());

        assertThat(verifies(receipt, document, signature)).isTrue();
        for (String name : List.copyOf(document.propertyNames())) {
            ObjectNode changed = document.deepCopy();
            changed.put(name, "changed");
            assertThat(verifies(receipt, changed, signature)).as(name).isFalse();
        }
    }

    @Test
    void validatingSpendsNothing() {
        Receipt receipt = issue("rec/validate", Assurance.BASELINE);

        for (int i = 0; i < 3; i++) {
            Answer answer = post(receipt, "validate", demand(receipt));
            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.at("/valid").asBoolean()).isTrue();
        }
        assertThat(consume(receipt, demand(receipt)).status()).isEqualTo(200);
        assertThat(post(receipt, "validate", demand(receipt)).status()).isEqualTo(409);
    }

    @Test
    void aRefusedAttemptDoesNotSpendTheReceipt() {
        Receipt receipt = issue("rec/refused", Assurance.BASELINE);
        Map<String, Object> files =
                Map.of("files", List.of(Map.of("path", "src/a.js", "sha256", OTHER)));

        Answer mismatch = consume(receipt, Map.of("changeSet", files));
        assertThat(mismatch.status()).isEqualTo(412);
        assertThat(mismatch.at("/code").asString()).isEqualTo("change-set-mismatch");
        assertThat(mismatch.at("/paths/0/path").asString()).isEqualTo("src/a.js");
        assertRefused(receipt, "treeSha256", OTHER, 412, "tree-mismatch");
        assertRefused(receipt, "requiredDodSha256", OTHER, 412, "dod-mismatch");
        assertRefused(receipt, "minAssurance", "independent", 403, "assurance-too-low");
        assertRefused(
                receipt, "newestMtime", "2999-01-01T00:00:00Z", 412, "receipt-predates-change");

        assertThat(consume(receipt, demand(receipt)).status()).isEqualTo(200);
    }

    @Test
    void everyDemandTogetherIsMet() {
        Receipt receipt = issue("rec/all", Assurance.INDEPENDENT);
        Map<String, Object> demand =
                Map.of(
                        "changeSet",
                        Map.of(
                                "files",
                                List.of(Map.of("path", "src/a.js", "sha256", CONTENT.hex()))),
                        "treeSha256",
                        TREE.hex(),
                        "requiredDodSha256",
                        DOD.hex().toUpperCase(java.util.Locale.ROOT),
                        "minAssurance",
                        "independent",
                        "newestMtime",
                        "2020-01-01T00:00:00Z");

        assertThat(consume(receipt, demand).status()).isEqualTo(200);
    }

    @Test
    void anAssuranceBelowThePolicyIsRefused() {
        Receipt receipt = issue("rec/self", Assurance.SELF);

        assertThat(consume(receipt, demand(receipt)).at("/code").asString())
                .isEqualTo("assurance-too-low");
    }

    @Test
    void staleAndFutureReceiptsAreGone() {
        Receipt stale = issue("rec/stale", Assurance.BASELINE);
        Receipt future = issue("rec/future", Assurance.BASELINE);
        shift(stale, "- interval '2 hours'");
        shift(future, "+ interval '5 minutes'");

        assertThat(consume(stale, demand(stale)).status()).isEqualTo(410);
        assertThat(consume(stale, demand(stale)).at("/code").asString()).isEqualTo("receipt-stale");
        assertThat(consume(future, demand(future)).status()).isEqualTo(410);
        assertThat(consume(future, demand(future)).at("/code").asString())
                .isEqualTo("receipt-not-yet-valid");
    }

    @Test
    void whatDoesNotExistOrIsOutOfReachIsNotFound() {
        Receipt receipt = issue("rec/reach", Assurance.BASELINE);
        String key = key("elsewhere", List.of("rec/other"));
        Answer unknown =
                client.as("dev-ci")
                        .post("/v1/receipts/" + ids.next() + "/consume", demand(receipt));

        assertThat(unknown.status()).isEqualTo(404);
        assertThat(unknown.at("/exitCode").asInt()).isEqualTo(6);
        assertThat(client.as("dev-ci").post("/v1/receipts/x/consume", demand(receipt)).status())
                .isEqualTo(404);
        Answer outOfReach =
                client.as(key).post("/v1/receipts/" + receipt.id() + "/consume", demand(receipt));
        assertThat(outOfReach.status()).isEqualTo(404);
        assertThat(client.as(key).get("/v1/receipts/" + receipt.id()).status()).isEqualTo(404);
        assertThat(consume(receipt, demand(receipt)).status()).isEqualTo(200);
    }

    @Test
    void theRepeatOfALostAnswerGetsTheFirstOne() {
        Receipt receipt = issue("rec/repeat", Assurance.BASELINE);
        ServiceClient once = client.as("dev-ci").with("Idempotency-Key", "k-" + receipt.id());
        String path = "/v1/receipts/" + receipt.id() + "/consume";

        Answer first = once.post(path, demand(receipt));
        Answer repeat = once.post(path, demand(receipt));
        Answer other = once.post(path, with(demand(receipt), "purpose", "another"));

        assertThat(first.status()).isEqualTo(200);
        assertThat(repeat.status()).isEqualTo(200);
        assertThat(repeat.text()).isEqualTo(first.text());
        assertThat(repeat.header("Idempotency-Replayed")).contains("true");
        assertThat(other.status()).isEqualTo(409);
        assertThat(other.at("/code").asString()).isEqualTo("idempotency-key-reused");
        assertThat(consume(receipt, demand(receipt)).at("/code").asString())
                .isEqualTo("receipt-replayed");
    }

    @Test
    void aRefusalUnderAKeyIsNotKept() {
        Receipt receipt = issue("rec/retry", Assurance.BASELINE);
        ServiceClient once = client.as("dev-ci").with("Idempotency-Key", "r-" + receipt.id());
        String path = "/v1/receipts/" + receipt.id() + "/consume";
        shift(receipt, "+ interval '5 minutes'");
        assertThat(once.post(path, demand(receipt)).status()).isEqualTo(410);
        shift(receipt, "- interval '5 minutes'");

        assertThat(once.post(path, demand(receipt)).status()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"dev-producer", "dev-orchestrator"})
    void onlyAConsumerConsumes(String key) {
        Receipt receipt = issue("rec/roles", Assurance.INDEPENDENT);

        assertThat(client.as(key).post(path(receipt, "consume"), demand(receipt)).status())
                .isEqualTo(403);
        assertThat(client.as(key).post(path(receipt, "validate"), demand(receipt)).status())
                .isEqualTo(403);
        assertThat(client.anonymous().post(path(receipt, "consume"), demand(receipt)).status())
                .isEqualTo(401);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"changeSet\": {}}",
                "{\"changeSet\": {\"sha256\": \"12\"}}",
                "{\"changeSet\": {\"sha256\": null, \"files\": [{\"path\": \"../x\", \"sha256\": null}]}}",
                "{\"changeSet\": {\"files\": []}, \"minAssurance\": \"total\"}",
                "{\"changeSet\": {\"files\": []}, \"treesha256\": null}",
                "{\"changeSet\": {\"files\": []}, \"newestMtime\": \"yesterday\"}"
            })
    void malformedDemandsAreUnprocessable(String body) {
        Receipt receipt = issue("rec/malformed", Assurance.BASELINE);

        assertThat(client.as("dev-ci").post(path(receipt, "consume"), body).status())
                .isEqualTo(422);
    }

    @Test
    void aConsumedReceiptNeverChangesAgain() {
        Receipt receipt = issue("rec/frozen", Assurance.BASELINE);
        consume(receipt, demand(receipt));

        assertThatExceptionOfType(DataAccessException.class)
                .isThrownBy(
                        () ->
                                jdbc.sql(
                                                "update receipt set consumed_at = null,"
                                                        + " consumed_by = null where id = :id")
                                        .param("id", receipt.id())
                                        .update());
    }

    private Receipt issue(String project, Assurance assurance) {
        NavigableMap<WorkspacePath, Optional<Sha256>> files = new TreeMap<>();
        files.put(new WorkspacePath("src/a.js"), Optional.of(CONTENT));
        Issue issue =
                new Issue(
                        new ProjectId(project),
                        new Summary.Origin.Verification(new VerificationId(ids.next())),
                        files,
                        ChangeSetHash.of(files),
                        TREE,
                        DOD,
                        Sha256.of("verdict"),
                        assurance,
                        Assurance.BASELINE,
                        Duration.ofHours(1),
                        false,
                        null);
        return Objects.requireNonNull(
                new TransactionTemplate(transactions).execute(status -> receipts.issue(issue)));
    }

    private void shift(Receipt receipt, String by) {
        jdbc.sql(
                        "update receipt set issued_at = issued_at %s, expires_at = expires_at %s"
                                        .formatted(by, by)
                                + " where id = :id")
                .param("id", receipt.id())
                .update();
    }

    private String key(String id, List<String> projects) {
        ServiceClient admin = client.as("dev-admin");
        Map<String, Object> principal =
                Map.of(
                        "id",
                        id,
                        "kind",
                        "ci",
                        "roles",
                        List.of("consumer", "reader"),
                        "projects",
                        projects);
        admin.put("/v1/principals/" + id, principal);
        return admin.post("/v1/principals/" + id + "/keys", "{}").at("/secret").asString();
    }

    private void assertRefused(
            Receipt receipt, String name, String value, int status, String code) {
        Answer answer = consume(receipt, with(demand(receipt), name, value));
        assertThat(answer.status()).as(name).isEqualTo(status);
        assertThat(answer.at("/code").asString()).isEqualTo(code);
    }

    private boolean verifies(Receipt receipt, ObjectNode document, byte[] signature) {
        return signer.verify(
                receipt.signature().keyid(),
                Receipt.PAYLOAD_TYPE,
                CanonicalJson.bytes(document),
                signature);
    }

    private static Map<String, Object> demand(Receipt receipt) {
        return Map.of("changeSet", Map.of("sha256", receipt.changeSetSha256()));
    }

    private static Map<String, Object> with(
            Map<String, Object> demand, String name, @Nullable Object value) {
        Map<String, Object> more = new java.util.HashMap<>(demand);
        more.put(name, value);
        return more;
    }

    private Answer consume(Receipt receipt, Map<String, Object> demand) {
        return post(receipt, "consume", demand);
    }

    private Answer post(Receipt receipt, String verb, Map<String, Object> demand) {
        return client.as("dev-ci").post(path(receipt, verb), demand);
    }

    private static String path(Receipt receipt, String verb) {
        return "/v1/receipts/" + receipt.id() + "/" + verb;
    }

    private static String get(Future<String> answer) {
        try {
            return answer.get();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
