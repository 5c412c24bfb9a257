package io.countersign.decision;

import static org.assertj.core.api.Assertions.assertThat;

import io.countersign.Countersign;
import io.countersign.grader.FakeModelServer;
import io.countersign.grader.FakeModelServer.Received;
import io.countersign.grader.FakeModelServer.Wire;
import io.countersign.support.IntegrationTest;
import io.countersign.support.ServiceClient;
import io.countersign.support.ServiceClient.Answer;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/**
 * One review, two services on one Postgres, and a repeat that reaches the second while the first
 * still grades: both ask a grader, the graders disagree, one decision counts.
 */
@IntegrationTest
class GraderReviewRaceIntegrationTests {
    private static final String PASS = "{\"pass\": true, \"reasons\": [\"nothing refutes it\"]}";
    private static final String REFUTED =
            "{\"pass\": false, \"reasons\": [\"drops a token\"], \"evidence\": [{\"criterion\": 1,"
                    + " \"ref\": \"src/x.py:1\", \"quote\": \"return text[1:]\"}]}";

    private static final List<String> SHARED =
            List.of(
                    "spring.datasource.url",
                    "spring.datasource.username",
                    "spring.datasource.password",
                    "server.address",
                    "countersign.local.active",
                    "countersign.grader.tiers.heavy");

    /** Both graders are asked before either is answered. */
    private static final CyclicBarrier BOTH_ASKED = new CyclicBarrier(2);

    private static final FakeModelServer PROVIDER = FakeModelServer.start(Wire.OPENAI);

    @Autowired ServiceClient client;
    @Autowired JdbcClient jdbc;
    @Autowired Environment environment;

    @DynamicPropertySource
    static void provider(DynamicPropertyRegistry registry) {
        PROVIDER.then(
                (request, connection) -> answer(PASS, request, connection),
                (request, connection) -> answer(REFUTED, request, connection));
        PROVIDER.register(registry);
        registry.add("countersign.grader.tiers.heavy", () -> "fake/judge");
    }

    @AfterAll
    static void closeProvider() {
        PROVIDER.close();
    }

    private static void answer(
            String reply, Received request, FakeModelServer.Connection connection)
            throws IOException, InterruptedException {
        try {
            BOTH_ASKED.await(60, TimeUnit.SECONDS);
        } catch (BrokenBarrierException | TimeoutException e) {
            throw new IOException("only one grader was asked", e);
        }
        PROVIDER.text(reply).serve(request, connection);
    }

    @Test
    void twoServicesThatConcludeAReviewAtOnceHaveOneResult() throws Exception {
        List<Answer> answers;
        try (ConfigurableApplicationContext other = otherService();
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            ServiceClient second = ServiceClient.at(port(other));
            List<Future<Answer>> both =
                    Stream.of(client, second)
                            .map(service -> threads.submit(() -> review(service)))
                            .toList();
            answers = List.of(both.get(0).get(), both.get(1).get());
        }

        assertThat(PROVIDER.requests()).as("both asked a grader").hasSize(2);
        assertThat(answers).allMatch(answer -> answer.status() == 201);
        JsonNode decision = answers.getFirst().at("/decision");
        assertThat(answers.getLast().at("/id")).isEqualTo(answers.getFirst().at("/id"));
        assertThat(answers.getLast().at("/decision")).isEqualTo(decision);
        assertThat(answers.getLast().at("/verdict")).isEqualTo(answers.getFirst().at("/verdict"));
        String lens = answers.getFirst().at("/verdict/lenses/0/verdict").asString();
        assertThat(decision.at("/exitCode").asInt()).isEqualTo(lens.equals("holds") ? 0 : 1);
        assertThat(decision.at("/receipt").isNull()).isEqualTo(lens.equals("refuted"));
        assertThat(count("decision")).isOne();
        assertThat(count("attestation")).isOne();
        assertThat(count("receipt")).isEqualTo(lens.equals("holds") ? 1 : 0);
        assertThat(
                        jdbc.sql(
                                        "SELECT count(*) FROM audit_event WHERE project = 'dec/race'"
                                                + " AND action = 'decision.made'")
                                .query(Long.class)
                                .single())
                .isOne();
    }

    private long count(String table) {
        return jdbc.sql("SELECT count(*) FROM %s WHERE project = 'dec/race'".formatted(table))
                .query(Long.class)
                .single();
    }

    /** A second service of the same settings on the same database, without workers. */
    private ConfigurableApplicationContext otherService() {
        List<String> arguments =
                new ArrayList<>(List.of("--server.port=0", "--countersign.roles=api"));
        for (String key : SHARED) arguments.add("--" + key + "=" + environment.getProperty(key));
        PROVIDER.settings().forEach((key, value) -> arguments.add("--" + key + "=" + value));
        return new SpringApplicationBuilder(Countersign.class)
                .run(arguments.toArray(String[]::new));
    }

    private static int port(ConfigurableApplicationContext service) {
        return service.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
    }

    private static Answer review(ServiceClient service) {
        return service.with("Idempotency-Key", "one-review")
                .post("/v1/reviews", SampleReview.of("dec/race"));
    }
}
