package io.countersign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import io.countersign.grader.FakeModelServer;
import io.countersign.support.IntegrationTest;
import io.countersign.support.OtlpCollector;
import io.countersign.support.OtlpCollector.Span;
import io.countersign.support.ServiceClient;
import io.countersign.support.ServiceClient.Answer;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/** A caller's trace goes on through job, check and grader, to a collector that really gets it. */
@IntegrationTest(
        properties = {
            "countersign.grader.tiers.heavy=fake/m-1",
            "countersign.verify.prefer-deterministic=false",
            "management.tracing.export.enabled=true",
            "management.tracing.export.otlp.enabled=true",
            "management.tracing.sampling.probability=0",
            "management.opentelemetry.tracing.export.schedule-delay=100ms"
        })
@ExtendWith(OutputCaptureExtension.class)
class TracingIntegrationTests {
    private static final OtlpCollector COLLECTOR = OtlpCollector.start();
    private static final FakeModelServer MODEL = FakeModelServer.start(FakeModelServer.Wire.OPENAI);
    private static final String JUDGED =
            "[acceptance]\ncheck: fileExists path=a.txt\ncriteria: It greets.\n[/acceptance]";
    private static final String CHECKED =
            "[acceptance]\ncheck: fileExists path=a.txt\ncheck: fileExists path=b.txt\n"
                    + "[/acceptance]";

    @Autowired ServiceClient client;

    private final String trace = random(16);
    private final String caller = random(8);

    @DynamicPropertySource
    static void settings(DynamicPropertyRegistry registry) {
        registry.add("management.opentelemetry.tracing.export.otlp.endpoint", COLLECTOR::endpoint);
        MODEL.register(registry);
    }

    @AfterAll
    static void stop() {
        MODEL.close();
        COLLECTOR.close();
    }

    private static String random(int bytes) {
        byte[] id = new byte[bytes];
        ThreadLocalRandom.current().nextBytes(id);
        return HexFormat.of().formatHex(id);
    }

    private Answer verify(String acceptance, boolean sampled) {
        return client.with("traceparent", "00-" + trace + "-" + caller + (sampled ? "-01" : "-00"))
                .with("Prefer", "wait=30")
                .post(
                        "/v1/verifications",
                        Map.of(
                                "project",
                                "test/" + UUID.randomUUID(),
                                "acceptance",
                                acceptance,
                                "workspace",
                                Map.of("files", Map.of("a.txt", "hello"))));
    }

    private Span only(String name) {
        List<Span> named =
                COLLECTOR.spans(trace).stream().filter(span -> span.name().equals(name)).toList();
        assertThat(named).as("spans named %s in %s", name, COLLECTOR.spans(trace)).hasSize(1);
        return named.getFirst();
    }

    @Test
    void theCallersTraceGoesThroughJobCheckAndGrader() {
        MODEL.then(MODEL.text("{\"pass\":true,\"reasons\":[\"1: ok\"]}"));
        Answer answer = verify(JUDGED, true);
        assertThat(answer.at("/grading/outcome").asString()).as("%s", answer).isEqualTo("passed");
        String id = answer.at("/id").asString();

        await().untilAsserted(() -> only("http post /v1/verifications"));
        await().untilAsserted(() -> only("grading"));
        Span request = only("http post /v1/verifications");
        Span job = only("verification");
        Span check = only("check fileExists");
        Span grading = only("grading");
        Span call = only("grader fake");
        assertThat(request.parent()).isEqualTo(caller);
        assertThat(job.parent()).isEqualTo(request.id());
        assertThat(check.parent()).isEqualTo(job.id());
        assertThat(grading.parent()).isEqualTo(request.id());
        assertThat(call.parent()).isEqualTo(grading.id());
        assertThat(COLLECTOR.spans(trace))
                .as("the exchange with the model")
                .anyMatch(span -> span.parent().equals(call.id()));
        for (Span span : List.of(job, check, grading, call)) {
            assertThat(span.attribute("countersign.verification")).isEqualTo(id);
        }
        assertThat(job.attribute("countersign.outcome")).isEqualTo("handed_over");
        assertThat(check.attribute("countersign.check.kind")).isEqualTo("fileExists");
        assertThat(check.attribute("countersign.outcome")).isEqualTo("passed");
        assertThat(grading.attribute("countersign.outcome")).isEqualTo("pass");
        assertThat(call.attribute("countersign.outcome")).isEqualTo("answered");
        assertThat(call.attribute("countersign.grader.model")).isEqualTo("m-1");
    }

    @Test
    void eachCheckHasASpanWithItsOutcome() {
        verify(CHECKED, true);
        await().untilAsserted(() -> only("verification"));
        assertThat(only("verification").attribute("countersign.outcome")).isEqualTo("fail");
        assertThat(COLLECTOR.spans(trace))
                .filteredOn(span -> span.name().equals("check fileExists"))
                .extracting(
                        span -> span.attribute("countersign.check.index"),
                        span -> span.attribute("countersign.outcome"))
                .containsExactlyInAnyOrder(tuple("0", "passed"), tuple("1", "failed"));
    }

    @Test
    void aTraceThatIsNotSampledIsNotExported() {
        verify(CHECKED, false);
        String later = random(16);
        client.with("traceparent", "00-" + later + "-" + caller + "-01")
                .get("/v1/verifications?project=test/none");
        await().until(() -> !COLLECTOR.spans(later).isEmpty());
        assertThat(COLLECTOR.spans(trace)).isEmpty();
    }

    @Test
    void onlyRequestsAndTheirWorkAreTraced() {
        verify(CHECKED, true);
        await().untilAsserted(() -> only("http post /v1/verifications"));
        assertThat(COLLECTOR.all())
                .extracting(Span::name)
                .noneMatch(name -> name.contains("security") || name.startsWith("task"));
    }

    @Test
    void oneLogLineHoldsTheFactsOfAVerdict(CapturedOutput output) {
        MODEL.then(MODEL.text("{\"pass\":true,\"reasons\":[\"1: ok\"]}"));
        Answer answer = verify(JUDGED, true);
        String id = answer.at("/id").asString();
        String project = answer.at("/project").asString();

        await().until(() -> output.getAll().contains("id=" + id + " "));
        assertThat(output.getAll().lines().filter(line -> line.contains(id)).toList())
                .hasSize(1)
                .first()
                .asString()
                .contains(".verdict ")
                .containsPattern(
                        "id=%s project=%s verdict=pass accepted=true method=checker cause=none"
                                        .formatted(id, project)
                                + " assurance=self queueMs=\\d+ checksMs=\\d+"
                                + " gradingMs=\\d+ totalMs=\\d+ run=2 worker=\\S+-[0-9a-f-]{36}"
                                + " reason=\\S");
    }
}
