package io.countersign.grader;

import static org.assertj.core.api.Assertions.assertThat;

import io.countersign.grader.FakeModelServer.Wire;
import io.countersign.grader.GradingRequest.Producer;
import io.countersign.kernel.Cause;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** What a reply is worth once it could be read. */
@Timeout(30)
class VerdictTests {
    private FakeModelServer server;
    private TestGrader grader;

    @BeforeEach
    void start() {
        server = FakeModelServer.start(Wire.ANTHROPIC);
        grader = TestGrader.on(Wire.ANTHROPIC, server.baseUrl());
    }

    @AfterEach
    void stop() {
        grader.close();
        server.close();
    }

    private static GraderPolicy demanding(EvidenceRule rule, Independence independence) {
        GraderPolicy policy = TestGrader.policy();
        return new GraderPolicy(null, 0, policy.timeout(), independence, rule, policy.tiers());
    }

    private static GradingRequest request(
            GraderPolicy policy, Producer producer, JsonNode evidence) {
        GradingRequest request =
                TestGrader.request(
                        policy,
                        Duration.ofSeconds(20),
                        List.of("a is exported", "b is not"),
                        Map.of("src/a.ts", "export let a;\nlet b;\n"),
                        List.of("src/a.ts"));
        GradingRequest.Artefact artefact = request.artefact();
        return new GradingRequest(
                request.criteria(),
                null,
                producer,
                new GradingRequest.Artefact(
                        "Done.", artefact.changeSet(), List.of(), "", artefact.files(), evidence),
                List.of(),
                policy,
                request.deadline());
    }

    private Graded grade(String reply, EvidenceRule rule) throws InterruptedException {
        server.then(server.text(reply));
        return grader.grade(
                request(
                        demanding(rule, Independence.SESSION),
                        new Producer("ses_1", "fast", null),
                        null));
    }

    private static String reply(String... evidence) {
        return "{\"pass\":true,\"reasons\":[\"1: ok\",\"2: ok\"],\"evidence\":["
                + String.join(",", evidence)
                + "]}";
    }

    private static String quote(int criterion, String ref, String quote) {
        return "{\"criterion\":"
                + criterion
                + ",\"ref\":\""
                + ref
                + "\",\"quote\":\""
                + quote
                + "\"}";
    }

    @Test
    void keepsAQuoteThatIsThereAsSubstantiated() throws InterruptedException {
        Graded graded =
                grade(reply(quote(1, "src/a.ts:1", "export  let a;")), EvidenceRule.OPTIONAL);
        assertThat(graded.result().pass()).isTrue();
        assertThat(graded.row().evidence())
                .containsExactly(new GradingRow.Quote(1, "src/a.ts:1", "export  let a;"));
    }

    @Test
    void failsAPassOnAQuoteThatIsNotThere() throws InterruptedException {
        Graded graded =
                grade(
                        reply(
                                quote(1, "src/a.ts:1", "export let a;"),
                                quote(2, "src/a.ts:2", "const b")),
                        EvidenceRule.OPTIONAL);
        assertThat(graded.result().pass()).isFalse();
        assertThat(graded.row().outcome()).isEqualTo(GradingOutcome.EVIDENCE_NOT_FOUND);
        assertThat(graded.result().reasons())
                .containsExactly("cited evidence not found: src/a.ts:2 \"const b\"");
        assertThat(graded.row().evidence()).hasSize(1);
    }

    @Test
    void doesNotDoubtARefusalForItsQuotes() throws InterruptedException {
        Graded graded =
                grade(
                        "{\"pass\":false,\"reasons\":[\"no\"],\"evidence\":["
                                + quote(1, "src/zzz.ts:1", "nowhere")
                                + "]}",
                        EvidenceRule.REQUIRED);
        assertThat(graded.row().outcome()).isEqualTo(GradingOutcome.FAILED);
        assertThat(graded.result().cause()).isEqualTo(Cause.WORK);
        assertThat(graded.result().reasons()).containsExactly("no");
        assertThat(graded.row().evidence()).isEmpty();
    }

    @Test
    void demandsAQuoteForEachCriterionWherePolicyDoes() throws InterruptedException {
        Graded one = grade(reply(quote(1, "src/a.ts:1", "export let a;")), EvidenceRule.REQUIRED);
        assertThat(one.row().outcome()).isEqualTo(GradingOutcome.EVIDENCE_MISSING);
        assertThat(one.result().reasons().getFirst()).contains("[2]");

        Graded both =
                grade(
                        reply(
                                quote(1, "src/a.ts:1", "export let a;"),
                                quote(2, "src/a.ts:2", "let b;")),
                        EvidenceRule.REQUIRED);
        assertThat(both.result().pass()).isTrue();
    }

    @Test
    void scrubsAndBoundsReasonsAndReply() throws InterruptedException {
        String secret = "gh" + "p_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8";
        String reasons = ("\"found " + secret + " " + "x".repeat(1_500) + "\",").repeat(150);
        Graded graded =
                grade("{\"pass\":false,\"reasons\":[" + reasons + "\"\"]}", EvidenceRule.OPTIONAL);
        assertThat(graded.result().reasons()).hasSize(101).allMatch(line -> line.length() <= 1_000);
        assertThat(graded.row().reply()).hasSizeLessThan(16_200);
        assertThat(graded.toString()).doesNotContain(secret);
    }

    @Test
    void showsTheBeginningOfAnUnreadableReplyScrubbedBeforeItIsCut() throws InterruptedException {
        String secret = "gh" + "p_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8";
        String reply = "x".repeat(280) + " " + secret;
        Graded graded = grade(reply, EvidenceRule.OPTIONAL);
        String reason = graded.result().reasons().getFirst();
        assertThat(reason)
                .startsWith("could not parse grader verdict; defaulting to FAIL")
                .contains("x".repeat(280))
                .doesNotContain(secret.substring(0, 10));
        assertThat(graded.result().cause()).isEqualTo(Cause.INFRASTRUCTURE);
    }

    @Test
    void saysSoWhereAVerdictHasNoReason() throws InterruptedException {
        assertThat(grade("{\"pass\":false}", EvidenceRule.OPTIONAL).result().reasons())
                .containsExactly("the grader refused without a reason");
    }

    @ParameterizedTest
    @ValueSource(strings = {"max_tokens", "refusal", "pause_turn", "something_new"})
    void believesNoReplyThatStoppedEarly(String stopReason) throws InterruptedException {
        server.then(server.answer("{\"pass\":true,\"reasons\":[]}", null, stopReason, null));
        Graded graded = grader.grade(TestGrader.request());
        assertThat(graded.row().outcome()).isEqualTo(GradingOutcome.UNREADABLE);
        assertThat(graded.result().reasons().getFirst()).contains(stopReason);
    }

    @Test
    void refusesAModelThatIsNotIndependentBeforeItIsAsked() throws InterruptedException {
        Graded graded =
                grader.grade(
                        request(
                                demanding(EvidenceRule.OPTIONAL, Independence.MODEL),
                                new Producer("ses_1", "fast", "acme/m-1"),
                                null));
        assertThat(graded.row().outcome()).isEqualTo(GradingOutcome.NOT_INDEPENDENT);
        assertThat(server.requests()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"intent", "answer_key", "selfAssessment", "SPEC", "drafter-notes"})
    void refusesEvidenceThatCarriesTheDraftersIntent(String key) throws InterruptedException {
        JsonNode evidence =
                JsonMapper.shared().readTree("[{\"ref\":\"a\",\"meta\":{\"" + key + "\":null}}]");
        Graded graded =
                grader.grade(
                        request(
                                TestGrader.policy(),
                                new Producer("ses_1", "fast", null),
                                evidence));
        assertThat(graded.row().outcome()).isEqualTo(GradingOutcome.REFUSED);
        assertThat(graded.result().cause()).isEqualTo(Cause.POLICY);
        assertThat(graded.result().reasons().getFirst()).contains("/0/meta/" + key);
        assertThat(server.requests()).isEmpty();
    }

    @Test
    void isNeverTheProducerItself() throws InterruptedException {
        UUID id = UUID.randomUUID();
        IndependentGrader same =
                new IndependentGrader(
                        Map.of(),
                        name -> null,
                        1 << 16,
                        () -> id,
                        () -> "0123456789abcdef0123456789abcdef",
                        java.time.InstantSource.system());
        Graded graded =
                same.grade(
                        request(
                                TestGrader.policy(),
                                new Producer(id.toString(), null, null),
                                null));
        assertThat(graded.result().reasons())
                .containsExactly("grader is not independent of the producer");
    }

    @Test
    void failsClosedWhereTheWorkspaceCannotBeRead() throws InterruptedException {
        GradingRequest request = TestGrader.request();
        FrozenFiles broken =
                new FrozenFiles() {
                    @Override
                    public List<Entry> list() throws IOException {
                        throw new IOException("disk");
                    }

                    @Override
                    public java.util.Optional<Entry> find(String path) throws IOException {
                        throw new IOException("disk");
                    }

                    @Override
                    public byte[] read(String path, int max) throws IOException {
                        throw new IOException("disk");
                    }
                };
        Graded graded =
                grader.grade(
                        new GradingRequest(
                                request.criteria(),
                                null,
                                request.producer(),
                                new GradingRequest.Artefact(
                                        "",
                                        request.artefact().changeSet(),
                                        List.of(),
                                        "",
                                        broken,
                                        null),
                                List.of(),
                                request.policy(),
                                request.deadline()));
        assertThat(graded.result().pass()).isFalse();
        assertThat(graded.result().cause()).isEqualTo(Cause.INFRASTRUCTURE);
    }
}
