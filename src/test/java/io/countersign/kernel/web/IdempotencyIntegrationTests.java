package io.countersign.kernel.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.countersign.support.IntegrationTest;
import io.countersign.support.ServiceClient;
import io.countersign.support.ServiceClient.Answer;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

@IntegrationTest
@Import(ProbeController.class)
class IdempotencyIntegrationTests {
    private static final String PATH = "/probe/effects";

    @Autowired ServiceClient client;
    @Autowired ProbeController probe;
    @Autowired JdbcClient jdbc;

    private final String key = UUID.randomUUID().toString();

    @BeforeEach
    void startFromNothing() {
        jdbc.sql("create table if not exists probe_effect (n int)").update();
        jdbc.sql("truncate probe_effect").update();
        probe.effects.set(0);
        probe.gate = new CountDownLatch(0);
    }

    private ServiceClient keyed() {
        return client.with("Idempotency-Key", key);
    }

    private long effects() {
        return jdbc.sql("select count(*) from probe_effect").query(Long.class).single();
    }

    @Test
    void givesTheFirstAnswerAgain() {
        Answer first = keyed().post(PATH, "{\"a\":1}");
        Answer second = keyed().post(PATH, "{\"a\":1}");

        assertThat(first.status()).as(first.text()).isEqualTo(201);
        assertThat(second.status()).isEqualTo(201);
        assertThat(second.text()).isEqualTo(first.text());
        assertThat(second.header("Location")).isEqualTo(first.header("Location")).isPresent();
        assertThat(first.header("Idempotency-Replayed")).isEmpty();
        assertThat(second.header("Idempotency-Replayed")).contains("true");
        assertThat(second.header("Content-Type")).contains("application/json");
        assertThat(effects()).isEqualTo(1);
    }

    @Test
    void runsEveryRequestWithoutAKey() {
        client.post(PATH, "{}");
        client.post(PATH, "{}");

        assertThat(effects()).isEqualTo(2);
    }

    @Test
    void refusesAKeyThatComesBackWithAnotherBody() {
        keyed().post(PATH, "{\"a\":1}");

        for (String other : List.of("{\"a\":2}", "{\"a\": 1}", "")) {
            Answer answer = keyed().post(PATH, other);
            assertThat(answer.status()).isEqualTo(409);
            assertThat(answer.at("/code").asString()).isEqualTo("idempotency-key-reused");
        }
        assertThat(keyed().post(PATH + "?dry=1", "{\"a\":1}").status()).isEqualTo(409);
        assertThat(effects()).isEqualTo(1);
    }

    @Test
    void keepsKeysOfPrincipalsApart() {
        keyed().post(PATH, "{\"a\":1}");

        assertThat(keyed().as("dev-ci").post(PATH, "{\"a\":2}").status()).isEqualTo(201);
        assertThat(effects()).isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "a project less | [\"requester\"] | [\"acme/b\"]",
                "a project more | [\"requester\"] | [\"acme/a\", \"acme/b\", \"acme/c\"]",
                "a role more | [\"requester\", \"reader\"] | [\"acme/a\", \"acme/b\"]",
            })
    void givesNoAnswerToAPrincipalWhoseReachChanged(String change, String roles, String projects) {
        String principal = "/v1/principals/p-" + key;
        String body = "{\"kind\":\"ci\",\"roles\":%s,\"projects\":%s}";
        ServiceClient admin = client.as("dev-admin");
        admin.put(principal, body.formatted("[\"requester\"]", "[\"acme/a\", \"acme/b\"]"));
        ServiceClient caller = keyed().as(admin.post(principal + "/keys").at("/secret").asString());
        assertThat(caller.post(PATH, "{}").status()).isEqualTo(201);
        assertThat(caller.post(PATH, "{}").header("Idempotency-Replayed")).isPresent();

        admin.put(principal, body.formatted(roles, projects));
        Answer repeat = caller.post(PATH, "{}");

        assertThat(repeat.status()).as(change).isEqualTo(409);
        assertThat(repeat.at("/code").asString()).isEqualTo("idempotency-key-reused");
        assertThat(effects()).isEqualTo(1);
    }

    @Test
    void doesNotRememberARequestThatFailed() {
        Answer failed = keyed().post(PATH, "{\"fail\":true}");
        assertThat(failed.status()).isEqualTo(409);
        assertThat(failed.at("/code").asString()).isEqualTo("conflict");
        assertThat(effects()).as("rolled back with the key").isZero();

        assertThat(keyed().post(PATH, "{\"a\":1}").status()).isEqualTo(201);
        assertThat(effects()).isEqualTo(1);
    }

    @Test
    void oneOfManyConcurrentRequestsRuns() throws Exception {
        probe.gate = new CountDownLatch(1);
        List<Answer> answers = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Answer>> calls = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                calls.add(threads.submit(() -> keyed().post(PATH, "{\"a\":1}")));
            }
            await().untilAsserted(() -> assertThat(probe.effects.get()).isPositive());
            probe.gate.countDown();
            for (Future<Answer> call : calls) {
                answers.add(call.get());
            }
        }

        assertThat(answers).extracting(Answer::status).containsOnly(201);
        assertThat(answers).extracting(Answer::text).containsOnly("{\"effect\":1}");
        assertThat(effects()).isEqualTo(1);
    }

    @Test
    void saysSoWhenTheFirstTakesTooLong() throws Exception {
        probe.gate = new CountDownLatch(1);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Answer> first = threads.submit(() -> keyed().post(PATH, "{\"a\":1}"));
            await().untilAsserted(() -> assertThat(probe.effects.get()).isPositive());

            Answer second = keyed().post(PATH, "{\"a\":1}");
            probe.gate.countDown();

            assertThat(second.status()).isEqualTo(409);
            assertThat(second.at("/code").asString()).isEqualTo("idempotency-in-progress");
            assertThat(first.get().status()).isEqualTo(201);
        }
    }

    @Test
    void runsAgainAfterADay() {
        keyed().post(PATH, "{\"a\":1}");
        jdbc.sql(
                        """
                        update idempotency_key set expires_at = now() - interval '1 second'
                        where key = :key
                        """)
                .param("key", key)
                .update();

        assertThat(keyed().post(PATH, "{\"a\":2}").status()).isEqualTo(201);
        assertThat(keyed().post(PATH, "{\"a\":2}").header("Idempotency-Replayed")).isPresent();
        assertThat(effects()).isEqualTo(2);
    }

    @Test
    void keepsAnAnswerForADay() {
        keyed().post(PATH, "{\"a\":1}");

        String kept =
                jdbc.sql(
                                """
                                select (expires_at - created_at)::text from idempotency_key
                                where key = :key
                                """)
                        .param("key", key)
                        .query(String.class)
                        .single();
        assertThat(kept).isIn("24:00:00", "1 day", "1 day 00:00:00");
    }

    @Test
    void refusesAKeyThatIsNoPlainWord() {
        for (String odd : List.of("two words", "x".repeat(256))) {
            Answer answer = client.with("Idempotency-Key", odd).post(PATH, "{}");

            assertThat(answer.status()).as(answer.text()).isEqualTo(422);
            assertThat(effects()).isZero();
        }
    }

    @Test
    void digestsThePartsOfAMultipartRequest() {
        Answer first = upload("archive one", "x1");
        Answer second = upload("archive one", "another-boundary");
        Answer other = upload("archive two", "x1");

        assertThat(first.status()).as(first.text()).isEqualTo(200);
        assertThat(second.text()).isEqualTo(first.text());
        assertThat(second.header("Idempotency-Replayed")).isPresent();
        assertThat(other.status()).isEqualTo(409);
        assertThat(other.at("/code").asString()).isEqualTo("idempotency-key-reused");
    }

    @Test
    void guardsTheJsonPartOfAMultipartRequest() {
        String part = "{\"name\":\"a\\u0000\",\"number\":1,\"flag\":true}";

        Answer answer = upload(part, "archive", "x1");

        assertThat(answer.status()).as(answer.text()).isEqualTo(422);
    }

    private Answer upload(String archive, String boundary) {
        return upload("{\"name\":\"a\",\"number\":1,\"flag\":true}", archive, boundary);
    }

    private Answer upload(String request, String archive, String boundary) {
        String body =
                """
                --%1$s
                Content-Disposition: form-data; name="request"
                Content-Type: application/json

                %2$s
                --%1$s
                Content-Disposition: form-data; name="workspace"; filename="w.tar"
                Content-Type: application/x-tar

                %3$s
                --%1$s--
                """
                        .formatted(boundary, request, archive)
                        .replace("\n", "\r\n");
        return keyed().upload(
                        "/probe/upload",
                        "multipart/form-data; boundary=" + boundary,
                        body.getBytes(StandardCharsets.UTF_8));
    }
}
