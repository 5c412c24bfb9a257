package io.countersign.grader;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;

import io.countersign.grader.FakeModelServer.Wire;
import io.countersign.support.IntegrationTest;
import io.micrometer.core.instrument.MeterRegistry;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** The grader inside the started service: beans, metrics, table, and no key anywhere. */
@IntegrationTest(properties = "countersign.grader.tiers.heavy=fake/m-1")
@ExtendWith(OutputCaptureExtension.class)
class GradingIntegrationTests {
    private static final FakeModelServer SERVER = FakeModelServer.start(Wire.OPENAI);

    @Autowired Grader grader;
    @Autowired GraderPolicies policies;
    @Autowired Gradings gradings;
    @Autowired JdbcClient jdbc;
    @Autowired MeterRegistry meters;

    @DynamicPropertySource
    static void provider(DynamicPropertyRegistry registry) {
        SERVER.register(registry);
    }

    @AfterAll
    static void stop() {
        SERVER.close();
    }

    private GradingRequest request() {
        return TestGrader.request(policies.effective(null, null), Duration.ofSeconds(20));
    }

    @Test
    void storesAGradingAndFindsItAgain() throws InterruptedException {
        SERVER.then(
                SERVER.text(
                        "{\"pass\":true,\"reasons\":[\"1: ok\"],\"evidence\":[{\"criterion\":1,"
                                + "\"ref\":\"src/parser.ts:1\",\"quote\":\"return s.split(',')\"}]}"));
        GradingRow row = grader.grade(request()).row();
        assertThat(row.outcome()).isEqualTo(GradingOutcome.PASSED);
        UUID verification = UUID.randomUUID();

        gradings.insert(verification, 1, row, Instant.now());

        assertThat(gradings.byVerification(List.of(verification, UUID.randomUUID())))
                .isEqualTo(Map.of(verification, row));
        assertThat(gradings.byVerification(List.of())).isEmpty();
    }

    @Test
    void storesAGradingThatNobodyAnswered() throws InterruptedException {
        SERVER.then(SERVER.status(404, Map.of(), "{}"));
        GradingRow row = grader.grade(request()).row();
        UUID verification = UUID.randomUUID();

        gradings.insert(verification, 3, row, Instant.now());

        assertThat(gradings.byVerification(List.of(verification))).containsEntry(verification, row);
    }

    @Test
    void leavesTheKeyInNoLogNoRowAndNoError(CapturedOutput output) throws InterruptedException {
        Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        Level level = root.getLevel();
        UUID verification = UUID.randomUUID();
        root.setLevel(Level.TRACE);
        try {
            String echo =
                    "{\"error\":{\"message\":\"no such key: Bearer " + TestGrader.KEY + "\"}}";
            SERVER.then(
                    SERVER.status(500, Map.of(), echo),
                    SERVER.text("your key is " + TestGrader.KEY));
            gradings.insert(verification, 1, grader.grade(request()).row(), Instant.now());
            SERVER.then(SERVER.status(400, Map.of(), echo));
            gradings.insert(verification, 2, grader.grade(request()).row(), Instant.now());
        } finally {
            root.setLevel(level);
        }
        assertThat(SERVER.requests().getLast().headers().get("authorization"))
                .contains(TestGrader.KEY);
        assertThat(output.getAll()).contains("grader").doesNotContain(TestGrader.KEY);
        assertThat(
                        jdbc.sql(
                                        "select cast(grading as text) from grading where verification_id = ?")
                                .param(verification)
                                .query(String.class)
                                .list())
                .hasSize(2)
                .noneMatch(text -> text.contains(TestGrader.KEY));
    }

    @Test
    void publishesMetricsOfEveryGuard() throws InterruptedException {
        SERVER.then(SERVER.text("{\"pass\":false,\"reasons\":[\"no\"]}"));
        grader.grade(request());

        assertThat(meters.get("countersign.gradings").tag("provider", "fake").timers())
                .isNotEmpty();
        for (String meter :
                List.of(
                        "resilience4j.circuitbreaker.state",
                        "resilience4j.bulkhead.available.concurrent.calls",
                        "resilience4j.retry.calls",
                        "resilience4j.timelimiter.calls")) {
            assertThat(meters.get(meter).tag("name", "grader-fake").meters()).isNotEmpty();
        }
    }
}
