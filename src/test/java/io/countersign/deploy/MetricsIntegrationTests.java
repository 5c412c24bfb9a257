package io.countersign.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.countersign.grader.FakeModelServer;
import io.countersign.support.IntegrationTest;
import io.countersign.support.ServiceClient;
import io.countersign.support.ServiceClient.Answer;
import io.countersign.support.Work;
import io.opentelemetry.sdk.trace.export.SpanExporter;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What dashboards, alerts and autoscalers ask for is what a started service exports, after some of
 * everything has happened: names, and the labels that they select or group by.
 */
@IntegrationTest(
        properties = {
            "countersign.grader.tiers.heavy=fake/m-1",
            "management.prometheus.metrics.export.enabled=true",
            "management.tracing.export.enabled=true",
            "management.tracing.sampling.probability=1"
        })
class MetricsIntegrationTests {
    /** Given by Prometheus and its configuration, not by the service. */
    private static final Set<String> OF_PROMETHEUS = Set.of("instance", "job", "namespace", "le");

    private static final FakeModelServer MODEL = FakeModelServer.start(FakeModelServer.Wire.OPENAI);
    private static final Pattern LINE =
            Pattern.compile("^([a-z_][a-zA-Z0-9_]*)(?:\\{(.*)})? \\S+$", Pattern.MULTILINE);
    private static final Pattern NAME =
            Pattern.compile(
                    "\\b((?:countersign|http|hikaricp|jvm|process|resilience4j)_[a-z0-9_]+)"
                            + "(?:\\{([^}]*)})?");
    private static final Pattern LABEL =
            Pattern.compile("([a-z_]+)\\s*(?:=~|!~|!=|=)\\s*\"([^\"]*)\"");

    @Autowired ServiceClient client;
    @Autowired ObjectProvider<SpanExporter> exporters;

    private Map<String, Set<String>> exported;

    @DynamicPropertySource
    static void provider(DynamicPropertyRegistry registry) {
        MODEL.register(registry);
    }

    @AfterAll
    static void stop() {
        MODEL.close();
    }

    @BeforeEach
    void someOfEverything() {
        String project = "metrics/" + UUID.randomUUID();
        ServiceClient ci = client.as("dev-ci").with("Prefer", "wait=30");
        verify(ci, project, "check: fileExists path=b.txt");
        MODEL.then(MODEL.text("{\"pass\":true,\"reasons\":[\"1: ok\"]}"));
        verify(ci, project, "criteria: It greets.");
        String receipt =
                verify(ci, project, "check: fileExists path=a.txt").at("/receipt/id").asString();
        Map<String, Object> demand =
                Map.of("changeSet", Map.of("sha256", "0".repeat(64)), "minAssurance", "self");
        client.as("dev-ci").post("/v1/receipts/" + receipt + "/consume", demand);
        exported = series();
    }

    private static Answer verify(ServiceClient client, String project, String line) {
        Answer answer = client.post("/v1/verifications", Work.added(project, line, "hello"));
        assertThat(answer.status()).as("%s", answer).isEqualTo(200);
        return answer;
    }

    /** Label names, and {@code name=value}, by name of the series. */
    private Map<String, Set<String>> series() {
        Map<String, Set<String>> series = new TreeMap<>();
        LINE.matcher(scrape())
                .results()
                .forEach(
                        line -> {
                            Set<String> labels =
                                    series.computeIfAbsent(line.group(1), n -> new TreeSet<>());
                            if (line.group(2) == null) return;
                            LABEL.matcher(line.group(2))
                                    .results()
                                    .forEach(
                                            label -> {
                                                labels.add(label.group(1));
                                                labels.add(label.group(1) + "=" + label.group(2));
                                            });
                        });
        return series;
    }

    private String scrape() {
        return client.get("/actuator/prometheus").text();
    }

    private static Stream<String> expressions() {
        return Stream.of(dashboard(), alerts(), scalers()).flatMap(list -> list);
    }

    private static Stream<String> dashboard() {
        return found(
                        "\"expr\": \"((?:[^\"\\\\]|\\\\.)+)\"",
                        "docker/grafana/dashboards/countersign.json")
                .map(expression -> expression.replace("\\\"", "\""));
    }

    private static Stream<String> alerts() {
        Object groups = Chart.yaml(Path.of("docker/prometheus/alerts.yml")).get("groups");
        List<?> rules = (List<?>) Chart.map(((List<?>) groups).getFirst()).get("rules");
        return rules.stream().map(rule -> (String) Chart.map(rule).get("expr"));
    }

    private static Stream<String> scalers() {
        return Stream.of("keda", "full")
                .flatMap(set -> Chart.render(Chart.values(set)).stream())
                .flatMap(
                        manifest ->
                                Stream.of(
                                        manifest.at("spec", "triggers", 0, "metadata", "query"),
                                        manifest.at(
                                                "spec",
                                                "metrics",
                                                0,
                                                "external",
                                                "metric",
                                                "name")))
                .filter(String.class::isInstance)
                .map(String.class::cast);
    }

    private static Stream<String> found(String pattern, String file) {
        try {
            return Pattern.compile(pattern)
                    .matcher(Files.readString(Path.of(file)))
                    .results()
                    .map(result -> result.group(1));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void whateverIsAskedForIsExported() {
        List<String> expressions = expressions().toList();
        assertThat(expressions).hasSizeGreaterThan(40);
        for (String expression : expressions) {
            NAME.matcher(expression)
                    .results()
                    .forEach(
                            asked -> {
                                assertThat(exported)
                                        .as("%s", expression)
                                        .containsKey(asked.group(1));
                                assertLabels(expression, asked.group(1), asked.group(2));
                            });
        }
    }

    private void assertLabels(String expression, String name, String selector) {
        Set<String> there = exported.get(name);
        if (selector != null) {
            LABEL.matcher(selector)
                    .results()
                    .filter(label -> !OF_PROMETHEUS.contains(label.group(1)))
                    .forEach(
                            label ->
                                    assertThat(there)
                                            .as(
                                                    "label %s of %s in %s",
                                                    label.group(1), name, expression)
                                            .contains(label.group(1)));
        }
        Pattern.compile("by \\(([^)]*)\\)")
                .matcher(expression)
                .results()
                .flatMap(by -> Arrays.stream(by.group(1).split(",\\s*")))
                .filter(Predicate.not(OF_PROMETHEUS::contains))
                .forEach(
                        label ->
                                assertThat(there)
                                        .as("by %s of %s in %s", label, name, expression)
                                        .contains(label));
    }

    @Test
    void valuesThatAreAskedForByNameOccur() {
        assertThat(exported.get("countersign_verifications_seconds_count"))
                .contains("verdict=pass", "verdict=fail", "cause=work");
        assertThat(exported.get("countersign_receipts_refused_total"))
                .contains("reason=receipt-replayed", "reason=change-set-mismatch");
        assertThat(exported.get("countersign_callbacks_total")).contains("outcome=given_up");
        assertThat(exported.get("resilience4j_circuitbreaker_state"))
                .contains("state=open", "name=grader-fake");
        assertThat(exported.get("countersign_checks_seconds_count")).contains("outcome=failed");
        assertThat(exported.get("jvm_memory_used_bytes")).contains("area=heap");
    }

    @Test
    void everyMetricOfItsOwnIsOnThePageAndNothingElse() throws IOException {
        Set<String> page =
                found("(?m)^\\| `(countersign_[a-z_]+)` \\|", "docs/metrics.md")
                        .collect(Collectors.toCollection(TreeSet::new));
        Set<String> own =
                exported.keySet().stream()
                        .filter(name -> name.startsWith("countersign_"))
                        .map(
                                name ->
                                        name.replaceAll(
                                                "_seconds_(count|sum|bucket|max)$", "_seconds"))
                        .collect(Collectors.toCollection(TreeSet::new));
        assertThat(page).isEqualTo(own);
        for (String line : Files.readAllLines(Path.of("docs/metrics.md"))) {
            if (line.startsWith("| `countersign_")) assertLabelsOfThePage(line.split("\\|"));
        }
    }

    private void assertLabelsOfThePage(String[] cells) {
        String name = cells[1].replace("`", "").strip();
        Set<String> written =
                Pattern.compile("`([a-z_]+)`")
                        .matcher(cells[3].replaceAll("\\([^)]*\\)", ""))
                        .results()
                        .map(found -> found.group(1))
                        .collect(Collectors.toCollection(TreeSet::new));
        Set<String> there =
                Stream.of(name, name + "_count")
                        .flatMap(key -> exported.getOrDefault(key, Set.of()).stream())
                        .filter(label -> !label.contains("="))
                        .collect(Collectors.toCollection(TreeSet::new));
        assertThat(written).as("labels of %s", name).isEqualTo(there);
    }

    @Test
    void latenciesHaveBucketsAndReceiptsAreCounted() {
        assertThat(exported)
                .containsKeys(
                        "countersign_verifications_seconds_bucket",
                        "countersign_checks_seconds_bucket",
                        "countersign_gradings_seconds_bucket");
        double before = value("countersign_receipts_refused_total{reason=\"change-set-mismatch\"}");
        someOfEverything();
        assertThat(value("countersign_receipts_refused_total{reason=\"change-set-mismatch\"}"))
                .isEqualTo(before + 1);
        assertThat(value("countersign_receipts_issued_total{origin=\"verification\"}"))
                .isGreaterThanOrEqualTo(2);
    }

    private double value(String series) {
        return scrape().lines()
                .filter(line -> line.startsWith(series + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(series.length() + 1)))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no " + series));
    }

    /** Prometheus refuses the whole scrape for an exemplar in another place. */
    @Test
    void tracesAreNamedOnlyWhereOpenMetricsHasThem() {
        List<String> exemplars =
                client.with("Accept", "application/openmetrics-text;version=1.0.0")
                        .get("/actuator/prometheus")
                        .text()
                        .lines()
                        .filter(line -> line.contains(" # {"))
                        .toList();
        assertThat(exemplars)
                .isNotEmpty()
                .allMatch(line -> line.matches("[a-z0-9_]+_(total|bucket)[ {].*trace_id=.*"));
    }

    @Test
    void tracesGoNowhereUntilThatIsConfigured() {
        assertThat(exporters.stream()).isEmpty();
    }

    @Test
    void onlyCallersWithAKeyReadThem() {
        assertThat(client.anonymous().get("/actuator/prometheus").status()).isEqualTo(401);
        assertThat(client.as("dev-producer").get("/actuator/prometheus").status()).isEqualTo(200);
    }

    @Test
    void aReaderWithoutProjectsMayScrape() {
        ServiceClient admin = client.as("dev-admin");
        Answer made =
                admin.put(
                        "/v1/principals/prometheus",
                        "{\"kind\":\"service\",\"roles\":[\"reader\"],\"projects\":[]}");
        assertThat(made.status()).as("%s", made).isBetween(200, 201);
        String key = admin.post("/v1/principals/prometheus/keys").at("/secret").asString();
        assertThat(client.as(key).get("/actuator/prometheus").status()).isEqualTo(200);
    }

    @Test
    void theGaugesOfTheQueueTellWhatWaits() {
        await().until(() -> value("countersign_queue_depth") == 0);
        assertThat(value("countersign_queue_max")).isEqualTo(10_000);
        assertThat(value("countersign_queue_age_seconds")).isLessThan(60);
        assertThat(value("countersign_running")).isGreaterThanOrEqualTo(0);
    }
}
