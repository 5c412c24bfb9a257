package io.countersign.dod;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import tools.jackson.databind.JsonNode;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** Every case of {@code infer.json}: a dispatch and the Definition of Done inferred for it. */
class InferCasesTests {
    static Stream<Arguments> cases() {
        return Recipes.cases("infer.json").stream()
                .map(c -> Arguments.argumentSet(c.get("name").asString(), c));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void infersWhatTheDispatchAsksFor(JsonNode c) {
        JsonNode hints = c.get("hints");
        Inferred inferred =
                Inference.infer(
                        Recipes.text(c, "dispatch"),
                        new Hints(
                                hint(hints, "testCommand"),
                                hint(hints, "buildCommand"),
                                hint(hints, "lintCommand"),
                                hint(hints, "declaredPath")));
        JsonNode expect = c.get("expect");
        Dod dod = inferred.dod();
        assertThat(inferred.category()).isEqualTo(expect.get("category").asString());
        assertThat(dod.source()).isEqualTo(Dod.Source.INFERRED);
        assertThat(dod.kind().wire()).isEqualTo(expect.get("kind").asString());
        assertThat(dod.kind()).isNotEqualTo(Dod.Kind.NONE);
        assertThat(dod.deliverable())
                .isEqualTo(
                        expect.get("deliverable").isNull()
                                ? null
                                : expect.get("deliverable").asString());
        assertThat(dod.criteria()).isEqualTo(strings(expect.get("criteria")));
        assertThat(dod.checks().stream().map(CheckJson::members).toList())
                .isEqualTo(stream(expect.get("checks")).map(InferCasesTests::members).toList());
    }

    private static String hint(JsonNode hints, String name) {
        JsonNode hint = hints.path(name);
        return hint.isString() ? hint.asString() : null;
    }

    private static Map<String, Object> members(JsonNode check) {
        return check.properties().stream()
                .collect(
                        java.util.stream.Collectors.toMap(
                                Map.Entry::getKey, e -> e.getValue().asString()));
    }

    private static List<String> strings(JsonNode list) {
        return stream(list).map(JsonNode::asString).toList();
    }

    private static Stream<JsonNode> stream(JsonNode list) {
        return StreamSupport.stream(list.spliterator(), false);
    }
}
