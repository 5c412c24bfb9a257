package io.countersign.grader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.countersign.grader.FakeModelServer.Wire;
import io.countersign.kernel.Cause;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.time.Duration;
import java.util.Map;

@Timeout(30)
class ProviderFaultTests {
    private static final String PASS = "{\"pass\":true,\"reasons\":[\"1: it does\"]}";
    private static final String OVERLOADED =
            "{\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}}";

    @ParameterizedTest
    @EnumSource
    void keepsWhatWasAskedAndAnswered(Wire wire) throws InterruptedException {
        try (FakeModelServer server = FakeModelServer.start(wire);
                TestGrader grader = TestGrader.on(wire, server.baseUrl())) {
            server.then(server.text(PASS));

            Graded graded = grader.grade(TestGrader.request());

            assertThat(graded.result().pass()).isTrue();
            assertThat(graded.result().reasons()).containsExactly("1: it does");
            GradingRow row = graded.row();
            assertThat(row.outcome()).isEqualTo(GradingOutcome.PASSED);
            assertThat(row.provider()).isEqualTo("fake");
            assertThat(row.modelAsked()).isEqualTo("m-1");
            assertThat(row.modelAnswered()).isEqualTo("m-1");
            assertThat(row.responseId()).isNotBlank();
            assertThat(row.tier()).isEqualTo(Tier.FAST);
            assertThat(row.tokensIn()).isEqualTo(1200);
            assertThat(row.tokensOut()).isEqualTo(34);
            assertThat(row.attempts()).isEqualTo(1);
            assertThat(row.temperature()).isEqualTo(0.0);
            assertThat(row.structured()).isTrue();
            assertThat(row.reply()).isEqualTo(PASS);
            assertThat(row.promptSha256()).isNotNull();
            FakeModelServer.Received request = server.requests().getFirst();
            assertThat(request.body().path("temperature").doubleValue()).isZero();
            if (wire == Wire.OPENAI) {
                assertThat(request.line()).isEqualTo("POST /v1/chat/completions HTTP/1.1");
                assertThat(request.headers())
                        .containsEntry("authorization", "Bearer " + TestGrader.KEY);
            } else {
                assertThat(request.line()).isEqualTo("POST /v1/messages HTTP/1.1");
                assertThat(request.headers())
                        .containsEntry("x-api-key", TestGrader.KEY)
                        .containsEntry("anthropic-version", "2023-06-01");
                assertThat(request.body().path("max_tokens").intValue()).isEqualTo(1024);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void closesTheSocketOfAServerThatNeverAnswersAndLeavesNoThread(Wire wire)
            throws InterruptedException {
        try (FakeModelServer server = FakeModelServer.start(wire);
                TestGrader grader = TestGrader.on(wire, server.baseUrl())) {
            server.then(server.stall());
            GraderPolicy policy = TestGrader.policy(Duration.ofMillis(300), "fake/m-1");

            Graded graded = grader.grade(TestGrader.request(policy, Duration.ofSeconds(20)));

            assertTimedOut(graded, "no answer within 300ms");
            assertClosedWithinASecond(server, grader);
        }
    }

    @ParameterizedTest
    @EnumSource
    void endsATrickleAtTheLimitAlthoughBytesKeepComing(Wire wire) throws InterruptedException {
        try (FakeModelServer server = FakeModelServer.start(wire);
                TestGrader grader = TestGrader.on(wire, server.baseUrl())) {
            server.then(server.trickle(PASS, 50));
            GraderPolicy policy = TestGrader.policy(Duration.ofMillis(500), "fake/m-1");

            Graded graded = grader.grade(TestGrader.request(policy, Duration.ofSeconds(20)));

            assertTimedOut(graded, "no answer within 500ms");
            assertClosedWithinASecond(server, grader);
        }
    }

    @ParameterizedTest
    @EnumSource
    void triesAgainAfterTwoOverloads(Wire wire) throws InterruptedException {
        try (FakeModelServer server = FakeModelServer.start(wire);
                TestGrader grader = TestGrader.on(wire, server.baseUrl())) {
            server.then(
                    server.status(529, Map.of(), OVERLOADED),
                    server.status(529, Map.of(), OVERLOADED),
                    server.text(PASS));

            Graded graded = grader.grade(TestGrader.request());

            assertThat(graded.result().pass()).isTrue();
            assertThat(graded.row().attempts()).isEqualTo(3);
        }
    }

    @ParameterizedTest
    @EnumSource
    void givesUpAfterTheLastAttemptAndSaysWhy(Wire wire) throws InterruptedException {
        try (FakeModelServer server = FakeModelServer.start(wire);
                TestGrader grader = TestGrader.on(wire, server.baseUrl())) {
            server.then(server.status(529, Map.of(), OVERLOADED));

            Graded graded = grader.grade(TestGrader.request());

            assertThat(graded.result().pass()).isFalse();
            assertThat(graded.result().cause()).isEqualTo(Cause.INFRASTRUCTURE);
            assertThat(graded.row().outcome()).isEqualTo(GradingOutcome.UNAVAILABLE);
            assertThat(graded.row().attempts()).isEqualTo(4);
            assertThat(graded.result().reasons().getFirst()).contains("HTTP 529", "Overloaded");
        }
    }

    @ParameterizedTest
    @EnumSource
    void takesAConnectionThatBreaksInTheMiddleForAFaultAndTriesAgain(Wire wire)
            throws InterruptedException {
        try (FakeModelServer server = FakeModelServer.start(wire);
                TestGrader grader = TestGrader.on(wire, server.baseUrl())) {
            server.then(server.breakOff(PASS), server.text(PASS));

            Graded graded = grader.grade(TestGrader.request());

            assertThat(graded.result().pass()).isTrue();
            assertThat(graded.row().attempts()).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @EnumSource
    void doesNotAskTwiceWhereTheRequestIsWrong(Wire wire) throws InterruptedException {
        for (int status : new int[] {400, 401, 403, 404}) {
            try (FakeModelServer server = FakeModelServer.start(wire);
                    TestGrader grader = TestGrader.on(wire, server.baseUrl())) {
                server.then(
                        server.status(
                                status,
                                Map.of(),
                                "{\"error\":{\"message\":\"bad key " + TestGrader.KEY + "\"}}"));

                Graded graded = grader.grade(TestGrader.request());

                assertThat(graded.row().outcome()).isEqualTo(GradingOutcome.UNAVAILABLE);
                assertThat(graded.row().attempts()).isEqualTo(1);
                assertThat(graded.toString())
                        .contains("HTTP " + status)
                        .doesNotContain(TestGrader.KEY);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void failsAnAnswerOfAnotherModel(Wire wire) throws InterruptedException {
        try (FakeModelServer server = FakeModelServer.start(wire);
                TestGrader grader = TestGrader.on(wire, server.baseUrl())) {
            server.then(server.answer(PASS, "m-2", null, null));

            Graded graded = grader.grade(TestGrader.request());

            assertThat(graded.result().pass()).isFalse();
            assertThat(graded.result().cause()).isEqualTo(Cause.INFRASTRUCTURE);
            assertThat(graded.row().outcome()).isEqualTo(GradingOutcome.OTHER_MODEL);
            assertThat(graded.row().modelAnswered()).isEqualTo("m-2");
            assertThat(server.requests()).hasSize(1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void asksAgainWithoutAParameterThatTheModelRefuses(Wire wire) throws InterruptedException {
        try (FakeModelServer server = FakeModelServer.start(wire);
                TestGrader grader = TestGrader.on(wire, server.baseUrl())) {
            server.then(
                    (request, connection) -> {
                        if (request.body().has("temperature")) {
                            server.status(
                                            400,
                                            Map.of(),
                                            "{\"error\":{\"type\":\"invalid_request_error\","
                                                    + "\"message\":\"`temperature` is deprecated for"
                                                    + " this model.\"}}")
                                    .serve(request, connection);
                        } else {
                            server.text(PASS).serve(request, connection);
                        }
                    });

            Graded first = grader.grade(TestGrader.request());
            Graded second = grader.grade(TestGrader.request());

            assertThat(first.result().pass()).isTrue();
            assertThat(first.row().temperatureOmitted()).isTrue();
            assertThat(first.row().temperature()).isNull();
            assertThat(first.row().attempts()).isEqualTo(2);
            assertThat(second.row().temperatureOmitted()).isTrue();
            assertThat(second.row().attempts()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void fallsBackToThePlainContractWithoutStructuredOutput(Wire wire) throws InterruptedException {
        String member = wire == Wire.OPENAI ? "response_format" : "output_config";
        try (FakeModelServer server = FakeModelServer.start(wire);
                TestGrader grader = TestGrader.on(wire, server.baseUrl())) {
            server.then(
                    (request, connection) -> {
                        if (request.body().has(member)) {
                            server.status(
                                            400,
                                            Map.of(),
                                            "{\"error\":{\"message\":\""
                                                    + member
                                                    + ": Extra inputs are not permitted\"}}")
                                    .serve(request, connection);
                        } else {
                            server.text("```json\n" + PASS + "\n```").serve(request, connection);
                        }
                    });

            Graded graded = grader.grade(TestGrader.request());

            assertThat(graded.result().pass()).isTrue();
            assertThat(graded.row().structured()).isFalse();
            assertThat(graded.row().temperatureOmitted()).isFalse();
        }
    }

    @ParameterizedTest
    @EnumSource
    void readsNoMoreThanAllowed(Wire wire) throws InterruptedException {
        try (FakeModelServer server = FakeModelServer.start(wire);
                TestGrader grader = TestGrader.on(wire, server.baseUrl())) {
            server.then(server.endless());

            Graded graded = grader.grade(TestGrader.request());

            assertThat(graded.row().outcome()).isEqualTo(GradingOutcome.UNAVAILABLE);
            assertThat(graded.result().reasons().getFirst()).contains("too large");
            assertThat(graded.row().attempts()).isEqualTo(1);
            assertClosedWithinASecond(server, grader);
        }
    }

    @ParameterizedTest
    @EnumSource
    void unpacksWhatCameCompressedAndBoundsWhatItUnpacksTo(Wire wire) throws InterruptedException {
        try (FakeModelServer server = FakeModelServer.start(wire);
                TestGrader grader = TestGrader.on(wire, server.baseUrl())) {
            server.then(server.gzipped(PASS), server.gzipped(PASS + " ".repeat(1 << 20)));

            assertThat(grader.grade(TestGrader.request()).result().pass()).isTrue();
            Graded bomb = grader.grade(TestGrader.request());
            assertThat(bomb.result().reasons().getFirst()).contains("too large");
        }
    }

    @ParameterizedTest
    @EnumSource
    void followsNoRedirect(Wire wire) throws InterruptedException {
        try (FakeModelServer elsewhere = FakeModelServer.start(wire);
                FakeModelServer server = FakeModelServer.start(wire);
                TestGrader grader = TestGrader.on(wire, server.baseUrl())) {
            elsewhere.then(elsewhere.text(PASS));
            server.then(server.status(307, Map.of("Location", elsewhere.baseUrl() + "/x"), ""));

            Graded graded = grader.grade(TestGrader.request());

            assertThat(graded.row().outcome()).isEqualTo(GradingOutcome.UNAVAILABLE);
            assertThat(graded.result().reasons().getFirst()).contains("redirects are not followed");
            assertThat(elsewhere.requests()).isEmpty();
        }
    }

    private static void assertTimedOut(Graded graded, String detail) {
        assertThat(graded.result().pass()).isFalse();
        assertThat(graded.result().cause()).isEqualTo(Cause.INFRASTRUCTURE);
        assertThat(graded.row().outcome()).isEqualTo(GradingOutcome.TIMED_OUT);
        assertThat(graded.result().reasons().getFirst()).contains("timed out", detail);
        assertThat(graded.row().attempts()).isEqualTo(1);
    }

    private static void assertClosedWithinASecond(FakeModelServer server, TestGrader grader) {
        await().atMost(Duration.ofSeconds(1)).until(() -> server.open() == 0);
        await().atMost(Duration.ofSeconds(1))
                .until(() -> grader.threads.stream().noneMatch(Thread::isAlive));
    }
}
