package io.countersign.grader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.countersign.grader.FakeModelServer.Wire;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

@Timeout(60)
class ResilienceTests {
    private static final String PASS = "{\"pass\":true,\"reasons\":[\"ok\"]}";
    private static final String FAIL = "{\"pass\":false,\"reasons\":[\"no\"]}";

    private FakeModelServer server;
    private TestGrader grader;

    @BeforeEach
    void start() {
        server = FakeModelServer.start(Wire.OPENAI);
        grader = TestGrader.on(Wire.OPENAI, server.baseUrl());
    }

    @AfterEach
    void stop() {
        grader.close();
        server.close();
    }

    private CircuitBreaker circuit() {
        return grader.circuitBreakers.find("grader-fake").orElseThrow();
    }

    @Test
    void waitsAsLongAsTheProviderAsks() throws InterruptedException {
        server.then(server.status(429, Map.of("Retry-After", "1"), "{}"), server.text(PASS));
        Instant begun = Instant.now();

        Graded graded = grader.grade(TestGrader.request());

        assertThat(graded.result().pass()).isTrue();
        assertThat(Duration.between(begun, Instant.now())).isGreaterThan(Duration.ofSeconds(1));
    }

    @Test
    void doesNotWaitForARetryThatTheGateWouldNotLiveToSee() throws InterruptedException {
        server.then(server.status(429, Map.of("Retry-After", "30"), "{}"));
        Instant begun = Instant.now();

        Graded graded =
                grader.grade(TestGrader.request(TestGrader.policy(), Duration.ofSeconds(5)));

        assertThat(graded.row().outcome()).isEqualTo(GradingOutcome.UNAVAILABLE);
        assertThat(graded.result().reasons().getFirst()).contains("HTTP 429");
        assertThat(graded.row().attempts()).isEqualTo(1);
        assertThat(Duration.between(begun, Instant.now())).isLessThan(Duration.ofSeconds(4));
    }

    @Test
    void retriesWhatMayPassAndNothingElse() throws InterruptedException {
        for (int status : new int[] {408, 409, 429, 500, 502, 503, 504, 529}) {
            server.then(server.status(status, Map.of(), "{}"), server.text(PASS));
            circuit().reset();
            Graded graded = grader.grade(TestGrader.request());
            assertThat(graded.result().pass()).as("HTTP %s", status).isTrue();
            assertThat(graded.row().attempts()).as("HTTP %s", status).isEqualTo(2);
        }
        for (int status : new int[] {404, 413, 418}) {
            server.then(server.status(status, Map.of(), "{}"));
            assertThat(grader.grade(TestGrader.request()).row().attempts())
                    .as("HTTP %s", status)
                    .isEqualTo(1);
        }
    }

    @Test
    void opensTheCircuitOnFaultsSoThatTheNextGradingFailsAtOnce() throws InterruptedException {
        server.then(server.status(503, Map.of(), "{}"));
        for (int i = 0; i < 3; i++) grader.grade(TestGrader.request());
        assertThat(circuit().getState()).isEqualTo(CircuitBreaker.State.OPEN);
        int before = server.requests().size();

        Graded graded = grader.grade(TestGrader.request());

        assertThat(server.requests()).hasSize(before);
        assertThat(graded.row().outcome()).isEqualTo(GradingOutcome.UNAVAILABLE);
        assertThat(graded.result().reasons().getFirst()).contains("circuit is open");
    }

    @Test
    void opensTheCircuitOnTimeouts() throws InterruptedException {
        server.then(server.stall());
        GraderPolicy policy = TestGrader.policy(Duration.ofMillis(30), "fake/m-1");
        for (int i = 0; i < 10; i++) {
            grader.grade(TestGrader.request(policy, Duration.ofSeconds(5)));
        }
        await().atMost(Duration.ofSeconds(2))
                .until(() -> circuit().getState() == CircuitBreaker.State.OPEN);
    }

    @Test
    void neverOpensTheCircuitOnAFailVerdictOrAWrongRequest() throws InterruptedException {
        server.then(server.text(FAIL));
        for (int i = 0; i < 15; i++) grader.grade(TestGrader.request());
        server.then(server.status(400, Map.of(), "{}"));
        for (int i = 0; i < 15; i++) grader.grade(TestGrader.request());
        server.then(server.text("no verdict at all"));
        for (int i = 0; i < 15; i++) grader.grade(TestGrader.request());

        assertThat(circuit().getState()).isEqualTo(CircuitBreaker.State.CLOSED);
        assertThat(circuit().getMetrics().getNumberOfFailedCalls()).isZero();
    }

    @Test
    void abortsOnlyTheGradingWhoseThreadIsInterrupted() throws Exception {
        AtomicInteger stalled = new AtomicInteger();
        FakeModelServer.Reply first =
                (request, connection) -> {
                    stalled.incrementAndGet();
                    connection.awaitEnd();
                };
        FakeModelServer.Reply second =
                (request, connection) -> {
                    stalled.incrementAndGet();
                    FakeModelServer.think(600);
                    server.text(PASS).serve(request, connection);
                };
        server.then(first, second);
        try (ExecutorService lane = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Graded> aborted = lane.submit(() -> grader.grade(TestGrader.request()));
            await().until(() -> stalled.get() == 1);
            Future<Graded> other = lane.submit(() -> grader.grade(TestGrader.request()));
            await().until(() -> stalled.get() == 2);

            aborted.cancel(true);

            await().atMost(Duration.ofSeconds(1)).until(() -> server.open() == 1);
            assertThat(other.get().result().pass()).isTrue();
        }
        assertThat(circuit().getMetrics().getNumberOfFailedCalls()).isZero();
    }

    @Test
    void throwsWhenItsThreadIsInterruptedInAPauseToo() throws Exception {
        server.then(server.status(429, Map.of("Retry-After", "15"), "{}"));
        List<Throwable> thrown = new CopyOnWriteArrayList<>();
        Thread thread =
                Thread.ofVirtual()
                        .start(
                                () -> {
                                    try {
                                        grader.grade(TestGrader.request());
                                    } catch (InterruptedException e) {
                                        thrown.add(e);
                                    }
                                });
        await().until(() -> server.requests().size() == 1);
        await().until(() -> thread.getState() == Thread.State.TIMED_WAITING);

        thread.interrupt();

        assertThat(thread.join(Duration.ofSeconds(1))).isTrue();
        assertThat(thrown).singleElement().isInstanceOf(InterruptedException.class);
    }

    @Test
    void ofAThreadThatWasInterruptedBeforeNothingIsKept() {
        server.then(server.stall());
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> grader.grade(TestGrader.request()))
                .isInstanceOf(InterruptedException.class);
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void endsWithTheGateWhateverTheTurnMayTake() throws InterruptedException {
        server.then(server.stall());
        GraderPolicy policy = TestGrader.policy(Duration.ofSeconds(50), "fake/m-1");
        Instant begun = Instant.now();

        Graded graded = grader.grade(TestGrader.request(policy, Duration.ofMillis(400)));

        assertThat(graded.row().outcome()).isEqualTo(GradingOutcome.TIMED_OUT);
        assertThat(Duration.between(begun, Instant.now())).isLessThan(Duration.ofSeconds(3));
    }

    @Test
    void asksNobodyAfterTheDeadline() throws InterruptedException {
        Graded graded =
                grader.grade(TestGrader.request(TestGrader.policy(), Duration.ofSeconds(-1)));
        assertThat(graded.row().outcome()).isEqualTo(GradingOutcome.TIMED_OUT);
        assertThat(graded.row().attempts()).isZero();
        assertThat(server.requests()).isEmpty();
    }

    @Test
    void queuesBeyondTheProvidersSlotsAndSaysSoWhenTimeRunsOut() throws Exception {
        AtomicInteger most = new AtomicInteger();
        AtomicInteger now = new AtomicInteger();
        server.then(
                (request, connection) -> {
                    most.accumulateAndGet(now.incrementAndGet(), Math::max);
                    FakeModelServer.think(100);
                    now.decrementAndGet();
                    server.text(PASS).serve(request, connection);
                });
        var two =
                new LinkedHashMap<>(
                        Map.of(
                                "fake",
                                withSlots(TestGrader.settings(Wire.OPENAI, server.baseUrl()), 2)));
        try (TestGrader narrow = TestGrader.of(two);
                ExecutorService lane = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Graded>> all =
                    java.util.stream.IntStream.range(0, 10)
                            .mapToObj(i -> lane.submit(() -> narrow.grade(TestGrader.request())))
                            .toList();
            for (Future<Graded> graded : all) assertThat(graded.get().result().pass()).isTrue();
            assertThat(most).hasValue(2);

            server.then(server.stall(), server.stall());
            for (int i = 0; i < 2; i++) lane.submit(() -> narrow.grade(TestGrader.request()));
            await().until(() -> server.requests().size() == 12);
            Graded late =
                    narrow.grade(TestGrader.request(TestGrader.policy(), Duration.ofMillis(200)));
            assertThat(late.result().reasons().getFirst()).contains("no free slot within");
            assertThat(
                            narrow.circuitBreakers
                                    .find("grader-fake")
                                    .orElseThrow()
                                    .getMetrics()
                                    .getNumberOfFailedCalls())
                    .isZero();
            lane.shutdownNow();
        }
    }

    private static io.countersign.grader.provider.ProviderSettings withSlots(
            io.countersign.grader.provider.ProviderSettings s, int slots) {
        return new io.countersign.grader.provider.ProviderSettings(
                s.type(),
                s.baseUrl(),
                s.apiKey(),
                s.structuredOutput(),
                s.maxOutputTokens(),
                slots,
                s.maxResponse(),
                s.connectTimeout(),
                s.attempts(),
                s.backoff(),
                s.maxBackoff());
    }

    @Test
    void triesTheModelsOfATierInOrderAndRecordsTheOneThatAnswered() throws InterruptedException {
        try (FakeModelServer other = FakeModelServer.start(Wire.ANTHROPIC)) {
            server.then(server.status(503, Map.of(), "{}"));
            other.then(other.text(PASS));
            Map<String, io.countersign.grader.provider.ProviderSettings> both =
                    new LinkedHashMap<>();
            both.put("fake", TestGrader.settings(Wire.OPENAI, server.baseUrl()));
            both.put("other", TestGrader.settings(Wire.ANTHROPIC, other.baseUrl()));
            try (TestGrader two = TestGrader.of(both)) {
                GraderPolicy policy =
                        TestGrader.policy(Duration.ofSeconds(5), "fake/m-1", "other/m-2");
                Graded graded = two.grade(TestGrader.request(policy, Duration.ofSeconds(20)));

                assertThat(graded.result().pass()).isTrue();
                assertThat(graded.row().provider()).isEqualTo("other");
                assertThat(graded.row().modelAsked()).isEqualTo("m-2");
                assertThat(graded.row().attempts()).isEqualTo(5);
            }
        }
    }

    @Test
    void neverShopsForABetterVerdict() throws InterruptedException {
        for (String reply : List.of(FAIL, "no verdict", "{\"pass\":1}")) {
            server.then(server.text(reply));
            GraderPolicy policy = TestGrader.policy(Duration.ofSeconds(5), "fake/m-1", "fake/m-2");
            int before = server.requests().size();
            assertThat(
                            grader.grade(TestGrader.request(policy, Duration.ofSeconds(20)))
                                    .result()
                                    .pass())
                    .isFalse();
            assertThat(server.requests()).hasSize(before + 1);
        }
    }

    @Test
    void waitsWithManyAtOnceOnVirtualThreads() throws Exception {
        CountDownLatch arrived = new CountDownLatch(90);
        server.then(
                (request, connection) -> {
                    arrived.countDown();
                    arrived.await();
                    server.text(PASS).serve(request, connection);
                });
        try (ExecutorService lane = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Graded>> all =
                    java.util.stream.IntStream.range(0, 90)
                            .mapToObj(i -> lane.submit(() -> grader.grade(TestGrader.request())))
                            .toList();
            for (Future<Graded> graded : all) assertThat(graded.get().result().pass()).isTrue();
        }
    }
}
