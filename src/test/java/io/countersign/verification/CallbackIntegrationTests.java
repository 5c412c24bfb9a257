package io.countersign.verification;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;

import io.countersign.support.IntegrationTest;
import io.countersign.support.ServiceClient;
import io.countersign.support.ServiceClient.Answer;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.JdbcTemplate;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;

/** A receiver on loopback that this server is allowed to call, and a queue with room for three. */
@IntegrationTest(
        properties = {"countersign.callbacks.allow-private=true", "countersign.queue.max=3"})
class CallbackIntegrationTests {
    private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

    private record Delivery(String id, String timestamp, String signature, String body) {}

    @Autowired ServiceClient client;
    @Autowired JdbcTemplate jdbc;
    @Autowired Queue queue;

    private final List<Delivery> deliveries = new CopyOnWriteArrayList<>();
    private HttpServer receiver;
    private String project;
    private volatile int status = 204;

    @BeforeEach
    void listen() throws IOException {
        project = "callback/" + UUID.randomUUID();
        receiver = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        receiver.createContext(
                "/",
                exchange -> {
                    var headers = exchange.getRequestHeaders();
                    deliveries.add(
                            new Delivery(
                                    headers.getFirst("webhook-id"),
                                    headers.getFirst("webhook-timestamp"),
                                    headers.getFirst("webhook-signature"),
                                    new String(
                                            exchange.getRequestBody().readAllBytes(),
                                            StandardCharsets.UTF_8)));
                    exchange.sendResponseHeaders(status, -1);
                    exchange.close();
                });
        receiver.start();
        client.as("dev-admin")
                .put("/v1/projects/" + project, Map.of("callback", Map.of("secret", SECRET)));
    }

    @AfterEach
    void close() {
        receiver.stop(0);
    }

    @Test
    void tellsTheReceiverSigned() {
        String id = verify().at("/id").asString();
        await().atMost(Duration.ofSeconds(20)).until(() -> !deliveries.isEmpty());
        Delivery delivery = deliveries.getFirst();
        JsonNode message = ServiceClient.JSON.readTree(delivery.body());
        assertThat(message.at("/type").asString()).isEqualTo("verification.completed");
        assertThat(message.at("/data/id").asString()).isEqualTo(id);
        assertThat(message.at("/data/accepted").asBoolean()).isTrue();
        assertThat(delivery.signature())
                .isEqualTo(
                        WebhookSignature.sign(
                                SECRET,
                                delivery.id(),
                                Long.parseLong(delivery.timestamp()),
                                delivery.body()));
    }

    @Test
    void triesAgainLaterWhenTheReceiverFails() {
        status = 500;
        String id = verify().at("/id").asString();
        await().atMost(Duration.ofSeconds(20)).until(() -> !deliveries.isEmpty());
        await().atMost(Duration.ofSeconds(20))
                .until(
                        () ->
                                jdbc.queryForList(
                                                        "SELECT 1 FROM scheduled_tasks WHERE task_name ="
                                                                + " 'callback' AND task_instance = ? AND"
                                                                + " NOT picked AND execution_time > now()",
                                                        id)
                                                .size()
                                        == 1);
    }

    @Test
    void refusesWorkThatTheQueueHasNoRoomFor() {
        for (int i = 0; i < 3; i++) {
            jdbc.update(
                    "INSERT INTO scheduled_tasks (task_name, task_instance, execution_time, picked,"
                            + " version) VALUES ('verification', ?, now() + interval '1 hour', false,"
                            + " 1)",
                    UUID.randomUUID().toString());
        }
        try {
            queue.takeSample();
            Answer refused = client.post("/v1/verifications", request());
            assertThat(refused.status()).as(refused.toString()).isEqualTo(429);
            assertThat(refused.at("/code").asString()).isEqualTo("queue-full");
            assertThat(refused.header("Retry-After")).isPresent();
        } finally {
            jdbc.update(
                    "DELETE FROM scheduled_tasks WHERE execution_time > now() + interval '50 min'");
            queue.takeSample();
        }
    }

    private Answer verify() {
        Answer answer = client.with("Prefer", "wait=60").post("/v1/verifications", request());
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        return answer;
    }

    private Map<String, Object> request() {
        return Map.of(
                "project",
                project,
                "acceptance",
                "[acceptance]\ncheck: fileExists path=a.txt\n[/acceptance]",
                "producer",
                Map.of("id", "ses_1"),
                "workspace",
                Map.of("files", Map.of("a.txt", "x")),
                "callback",
                Map.of("url", "http://127.0.0.1:" + receiver.getAddress().getPort() + "/hook"));
    }
}
