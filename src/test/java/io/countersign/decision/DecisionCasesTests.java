package io.countersign.decision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.countersign.access.AnchorKind;
import io.countersign.kernel.ProblemCode;
import io.countersign.kernel.ProblemException;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.io.IOException;
import java.io.InputStream;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** The cases of {@code cases/decisions.json} and {@code cases/bundles.json}. */
class DecisionCasesTests {
    @ParameterizedTest(name = "{0}")
    @MethodSource("decisions")
    void decidesAsTheCaseSays(String name, JsonNode decisionCase) {
        Question question = question(decisionCase);
        JsonNode expect = decisionCase.path("expect");
        if (expect.has("httpStatus")) {
            assertThat(expect.path("httpStatus").asInt()).isEqualTo(403);
            assertThatExceptionOfType(ProblemException.class)
                    .isThrownBy(() -> DecisionCore.decide(question))
                    .satisfies(e -> assertThat(e.code()).isEqualTo(ProblemCode.FORBIDDEN));
            return;
        }

        Decision decision = DecisionCore.decide(question);

        AnchorKind kind = decision.ground().anchorKind();
        assertThat(decision.exitCode()).isEqualTo(expect.path("exitCode").asInt());
        assertThat(decision.wire()).isEqualTo(expect.path("decision").asString());
        assertThat(decision.blocking()).isEqualTo(expect.path("blocking").asBoolean());
        assertThat(decision.advisory()).isEqualTo(expect.path("advisory").asBoolean());
        assertThat(decision.heard().blocking()).hasSize(expect.path("blockFindings").asInt());
        assertThat(decision.heard().demoted()).hasSize(expect.path("demoted").asInt());
        assertThat(kind == null ? null : kind.wire())
                .isEqualTo(expect.path("anchorKind").stringValue(null));
        assertThat(decision.ground().reasons()).isNotEmpty();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("bundles")
    void sealsAsTheCaseSays(String name, JsonNode bundleCase) {
        JsonNode request = bundleCase.path("request");
        JsonNode expect = bundleCase.path("expect");
        if (expect.path("httpStatus").asInt() == 422) {
            assertThatExceptionOfType(ProblemException.class)
                    .isThrownBy(
                            () ->
                                    BundleSealer.seal(
                                            request.get("artifact"), request.get("evidence")))
                    .satisfies(e -> assertThat(e.code().status()).isEqualTo(422));
            return;
        }

        assertThat((JsonNode) BundleSealer.seal(request.get("artifact"), request.get("evidence")))
                .isEqualTo(expect.path("body"));
    }

    static Stream<Arguments> decisions() throws IOException {
        return cases("decisions");
    }

    static Stream<Arguments> bundles() throws IOException {
        return cases("bundles");
    }

    private static Question question(JsonNode decisionCase) {
        JsonNode caller = decisionCase.path("caller");
        Set<String> kinds =
                caller.path("anchorKinds")
                        .valueStream()
                        .map(JsonNode::asString)
                        .collect(Collectors.toSet());
        JsonNode request = decisionCase.path("request");
        return new Question(
                notNull(request.get("verdict")),
                notNull(request.get("attestation")),
                new Attestor(caller.path("id").asString(), kinds, null),
                request.path("judgeUnreachable").asBoolean(false),
                request.path("requireBlocking").asBoolean(false),
                null,
                null,
                KnownContent.NONE);
    }

    private static @Nullable JsonNode notNull(@Nullable JsonNode node) {
        return node == null || node.isNull() ? null : node;
    }

    private static Stream<Arguments> cases(String file) throws IOException {
        String path = "/cases/" + file + ".json";
        try (InputStream in = DecisionCasesTests.class.getResourceAsStream(path)) {
            JsonNode cases = JsonMapper.shared().readTree(in);
            return StreamSupport.stream(cases.spliterator(), false)
                    .map(c -> Arguments.of(c.path("name").asString(), c));
        }
    }
}
