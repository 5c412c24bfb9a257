package io.countersign.grader;

import static org.assertj.core.api.Assertions.assertThat;

import io.countersign.dod.Dod;
import io.countersign.dod.DodParser;
import io.countersign.grader.FakeModelServer.Wire;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Every public report that needs a grader, up to the grading; the gate has its own test. */
@Timeout(30)
class ReportCasesTests {
    /** Cases whose refusal is a check's doing: the grader itself passes them. */
    private static final Set<String> REFUSED_BY_A_CHECK = Set.of("dod-011");

    static Stream<Arguments> cases() {
        return Cases.of("reports.json")
                .filter(item -> item.get("input").has("graderReply"))
                .flatMap(
                        item ->
                                Stream.of(Wire.values())
                                        .map(
                                                wire ->
                                                        Arguments.argumentSet(
                                                                item.get("id").stringValue()
                                                                        + " "
                                                                        + wire,
                                                                item,
                                                                wire)));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void gradesAsTheReportExpects(JsonNode item, Wire wire) throws InterruptedException {
        JsonNode input = item.get("input");
        JsonNode expect = item.get("expect");
        try (FakeModelServer server = FakeModelServer.start(wire);
                TestGrader grader = TestGrader.on(wire, server.baseUrl())) {
            script(server, input.get("graderReply"));

            Graded graded = grader.grade(request(input));

            boolean byCheck = REFUSED_BY_A_CHECK.contains(item.get("id").stringValue());
            assertThat(graded.result().pass())
                    .as("%s: %s", expect.get("why").stringValue(), graded.row())
                    .isEqualTo(byCheck || expect.get("accepted").booleanValue());
            if (!byCheck) {
                String said = graded.result().reasons() + " " + graded.result().findings();
                for (JsonNode pattern : expect.get("mustMention")) {
                    assertThat(said)
                            .containsPattern(
                                    Pattern.compile(
                                            pattern.stringValue(), Pattern.CASE_INSENSITIVE));
                }
            }
            assertPrompt(server.requests().getFirst().prompt());
        }
    }

    private static void script(FakeModelServer server, JsonNode reply) {
        for (JsonNode one : reply.isArray() ? reply : List.of(reply)) {
            if (one.has("httpStatus")) {
                server.then(
                        server.status(
                                one.get("httpStatus").intValue(),
                                Map.of(),
                                one.get("body").stringValue()));
            } else if (one.has("stall")) {
                server.then(server.trickle(one.get("text").stringValue(), 1_000));
            } else {
                server.then(
                        server.answer(
                                one.get("text").stringValue(),
                                null,
                                optional(one, "stopReason"),
                                optional(one, "reasoningText")));
            }
        }
    }

    private static String optional(JsonNode item, String member) {
        return item.has(member) ? item.get(member).stringValue() : null;
    }

    private static GradingRequest request(JsonNode input) {
        Dod dod =
                Objects.requireNonNull(
                        DodParser.parse(input.get("dod").stringValue(), Dod.Source.ANNOTATION)
                                .dod());
        Map<String, String> files = new LinkedHashMap<>();
        input.get("files")
                .properties()
                .forEach(file -> files.put(file.getKey(), content(file.getValue())));
        List<String> changed = new ArrayList<>();
        input.get("changedFiles").forEach(path -> changed.add(path.stringValue()));
        return TestGrader.request(
                TestGrader.policy(Duration.ofSeconds(2), "fake/m-1"),
                Duration.ofSeconds(10),
                dod.criteria(),
                files,
                changed);
    }

    private static String content(JsonNode file) {
        if (file.isString()) return file.stringValue();
        return file.get("repeat").stringValue().repeat(file.get("times").intValue())
                + file.get("then").stringValue();
    }

    /** What two reports ask of the prompt; it must hold of every prompt. */
    private static void assertPrompt(String prompt) {
        assertThat(prompt.split("<<<COUNTERSIGN [0-9a-f]{32} END ARTEFACT>>>", -1)).hasSize(2);
        if (prompt.contains("src/big.ts") && !prompt.contains("SENTINEL-VIOLATION")) {
            assertThat(prompt)
                    .containsPattern("src/big\\.ts: cut \\([0-9]+ bytes\\)")
                    .containsPattern("[0-9]+ BYTES OF THIS FILE ARE NOT SHOWN");
        }
    }
}
