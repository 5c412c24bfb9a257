package io.countersign.grader;

import io.countersign.artefact.ChangeSet;
import io.countersign.artefact.ChangedFile;
import io.countersign.grader.GradingRequest.Artefact;
import io.countersign.grader.GradingRequest.Producer;
import io.countersign.grader.provider.ApiKey;
import io.countersign.grader.provider.ProviderSettings;
import io.countersign.grader.provider.ProviderType;
import io.countersign.grader.provider.Providers;
import io.countersign.kernel.Sha256;
import io.github.resilience4j.bulkhead.BulkheadRegistry;
import io.github.resilience4j.circuitbreaker.CircuitBreakerRegistry;
import io.github.resilience4j.retry.RetryRegistry;
import io.github.resilience4j.timelimiter.TimeLimiterRegistry;

import org.springframework.util.unit.DataSize;
import org.springframework.web.client.RestClient;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadFactory;

/** The whole grader without Spring, on providers that are given by address. */
public final class TestGrader implements Grader, AutoCloseable {
    /** Shaped like no real key, so that finding it anywhere is a leak. */
    public static final String KEY = "test-key-4f1c9e7a5b";

    public final CircuitBreakerRegistry circuitBreakers = CircuitBreakerRegistry.ofDefaults();
    public final BulkheadRegistry bulkheads = BulkheadRegistry.ofDefaults();
    public final RetryRegistry retries = RetryRegistry.ofDefaults();
    public final TimeLimiterRegistry timeLimiters = TimeLimiterRegistry.ofDefaults();

    /** Every thread that the providers started. */
    public final List<Thread> threads = new CopyOnWriteArrayList<>();

    private final Providers providers;
    private final IndependentGrader grader;

    private TestGrader(Map<String, ProviderSettings> settings, int budget) {
        ThreadFactory virtual = Thread.ofVirtual().name("grader-", 0).factory();
        ThreadFactory recording =
                task -> {
                    Thread thread = virtual.newThread(task);
                    threads.add(thread);
                    return thread;
                };
        providers =
                new Providers(
                        settings,
                        new Providers.Edge(
                                RestClient::builder,
                                retries,
                                timeLimiters,
                                bulkheads,
                                circuitBreakers,
                                Clock.systemUTC(),
                                new Random(7),
                                recording));
        Map<String, Set<String>> makers = new LinkedHashMap<>();
        for (String name : providers.names()) makers.put(name, settings.get(name).makers(name));
        grader =
                new IndependentGrader(
                        makers,
                        name -> providers.find(name).orElseThrow(),
                        budget,
                        UUID::randomUUID,
                        () -> UUID.randomUUID().toString().replace("-", ""),
                        Clock.systemUTC());
    }

    static TestGrader of(Map<String, ProviderSettings> settings) {
        return new TestGrader(settings, 200 << 10);
    }

    /** One provider named {@code fake}. */
    public static TestGrader on(FakeModelServer.Wire wire, URI baseUrl) {
        return of(Map.of("fake", settings(wire, baseUrl)));
    }

    static ProviderSettings settings(FakeModelServer.Wire wire, URI baseUrl) {
        return new ProviderSettings(
                wire == FakeModelServer.Wire.OPENAI ? ProviderType.OPENAI : ProviderType.ANTHROPIC,
                baseUrl,
                new ApiKey(KEY),
                true,
                1_024,
                100,
                DataSize.ofKilobytes(256),
                Duration.ofSeconds(2),
                4,
                Duration.ofMillis(20),
                Duration.ofMillis(100));
    }

    @Override
    public Graded grade(GradingRequest request) throws InterruptedException {
        return grader.grade(request);
    }

    @Override
    public void close() {
        providers.close();
    }

    /** Model {@code m-1} of the provider {@code fake} at every tier. */
    public static GraderPolicy policy() {
        return policy(Duration.ofSeconds(10), "fake/m-1");
    }

    static GraderPolicy policy(Duration timeout, String... models) {
        List<ModelChoice> choices = List.of(models).stream().map(ModelChoice::of).toList();
        return new GraderPolicy(
                null,
                0,
                timeout,
                Independence.SESSION,
                EvidenceRule.OPTIONAL,
                new Tiers(choices, choices, choices));
    }

    static GradingRequest request() {
        return request(policy(), Duration.ofSeconds(20));
    }

    static GradingRequest request(GraderPolicy policy, Duration budget) {
        return request(
                policy,
                budget,
                List.of("parse() handles quoted commas"),
                Map.of(
                        "src/parser.ts",
                        "export function parse(s: string) { return s.split(','); }\n"),
                List.of("src/parser.ts"));
    }

    static GradingRequest request(
            GraderPolicy policy,
            Duration budget,
            List<String> criteria,
            Map<String, String> files,
            List<String> changed) {
        Map<String, byte[]> bytes = new LinkedHashMap<>();
        files.forEach((path, text) -> bytes.put(path, text.getBytes(StandardCharsets.UTF_8)));
        List<ChangedFile> list =
                changed.stream()
                        .sorted()
                        .map(
                                path ->
                                        new ChangedFile(
                                                path,
                                                ChangedFile.Status.MODIFIED,
                                                null,
                                                bytes.containsKey(path)
                                                        ? Sha256.of(bytes.get(path))
                                                        : null))
                        .toList();
        return new GradingRequest(
                criteria,
                null,
                new Producer("ses_1", "fast", "acme/producer-1"),
                new Artefact(
                        "Handled quoted commas.",
                        new ChangeSet.Known(list, Sha256.of("changes")),
                        List.of(),
                        "",
                        new MapFiles(bytes),
                        null),
                List.of(),
                policy,
                Instant.now().plus(budget));
    }

    /** Files in memory. */
    record MapFiles(Map<String, byte[]> files) implements FrozenFiles {
        @Override
        public List<Entry> list() {
            return files.keySet().stream().sorted().map(this::entry).toList();
        }

        @Override
        public Optional<Entry> find(String path) {
            return files.containsKey(path) ? Optional.of(entry(path)) : Optional.empty();
        }

        private Entry entry(String path) {
            return new Entry(path, files.get(path).length, false);
        }

        @Override
        public byte[] read(String path, int max) {
            byte[] bytes = files.get(path);
            return bytes.length <= max ? bytes : java.util.Arrays.copyOf(bytes, max);
        }
    }
}
