package io.countersign.decision;

import static org.assertj.core.api.Assertions.assertThat;

import io.countersign.grader.FakeModelServer;
import io.countersign.grader.FakeModelServer.Wire;
import io.countersign.support.IntegrationTest;
import io.countersign.support.ServiceClient;
import io.countersign.support.ServiceClient.Answer;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;

/** A review whose judge is the service's grader, over a provider's real wire format. */
@IntegrationTest
class GraderReviewIntegrationTests {
    private static final AtomicReference<String> REPLY = new AtomicReference<>("");
    private static final FakeModelServer PROVIDER =
            FakeModelServer.start(Wire.OPENAI)
                    .then((request, connection) -> answer().serve(request, connection));

    @Autowired ServiceClient client;

    @DynamicPropertySource
    static void provider(DynamicPropertyRegistry registry) {
        PROVIDER.register(registry);
        registry.add("countersign.grader.tiers.heavy", () -> "fake/judge");
    }

    @AfterAll
    static void closeProvider() {
        PROVIDER.close();
    }

    private static FakeModelServer.Reply answer() {
        return PROVIDER.text(REPLY.get());
    }

    @Test
    void aPassOfTheGraderIsDecidedAtOnceAndEarnsAReceipt() {
        Answer review = review("{\"pass\": true, \"reasons\": [\"nothing refutes it\"]}");

        assertThat(review.at("/status").asString()).isEqualTo("decided");
        assertThat(review.at("/decision/exitCode").asInt()).as("%s", review).isZero();
        assertThat(review.at("/decision/anchorKind").asString()).isEqualTo("stateless_api");
        assertThat(review.at("/decision/receipt/assurance").asString()).isEqualTo("independent");
        assertThat(PROVIDER.requests().getLast().prompt()).contains("return text[1:]");
    }

    @Test
    void aRefutationWithoutAQuoteBlocksNothingAndEarnsNothing() {
        Answer review = review("{\"pass\": false, \"reasons\": [\"it looks wrong\"]}");

        assertThat(review.at("/decision/exitCode").asInt()).isZero();
        assertThat(review.at("/decision/demoted")).hasSize(1);
        assertThat(review.at("/decision/receipt").isNull()).isTrue();
        assertThat(review.at("/decision/attestation").isNull()).isTrue();
    }

    @Test
    void aRefutationWithAQuoteBlocks() {
        Answer review =
                review(
                        "{\"pass\": false, \"reasons\": [\"drops a token\"], \"evidence\":"
                                + " [{\"criterion\": 1, \"ref\": \"src/x.py:1\","
                                + " \"quote\": \"return text[1:]\"}]}");

        assertThat(review.at("/decision/exitCode").asInt()).as("%s", review).isEqualTo(1);
        assertThat(review.at("/decision/receipt").isNull()).isTrue();
    }

    @Test
    void aPassOverABundleThatWasNotShownWholeIsNoVerdict() {
        REPLY.set("{\"pass\": true, \"reasons\": [\"nothing refutes it\"]}");
        Map<String, Object> request = new HashMap<>(SampleReview.of("dec/graded"));
        request.put(
                "evidence",
                List.of(Map.of("ref", "src/x.py:1", "literal", "word ".repeat(100_000))));

        Answer review = client.post("/v1/reviews", request);

        assertThat(review.at("/grading/outcome").asString()).isEqualTo("truncated");
        assertThat(review.at("/decision/exitCode").asInt()).as("%s", review).isEqualTo(4);
    }

    @Test
    void aReplyThatCannotBeReadIsNoVerdict() {
        Answer review = review("looks good to me");

        assertThat(review.at("/decision/exitCode").asInt()).isEqualTo(4);
        assertThat(review.at("/decision/receipt").isNull()).isTrue();
    }

    private Answer review(String reply) {
        REPLY.set(reply);
        return client.post("/v1/reviews", SampleReview.of("dec/graded"));
    }
}
