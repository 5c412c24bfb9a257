package io.countersign.dod;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.countersign.kernel.ProblemCode;
import io.countersign.kernel.ProblemException;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import tools.jackson.databind.JsonNode;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** Every case of {@code dod.json}: a text and the Definition of Done that it means. */
class DodCasesTests {
    static Stream<Arguments> cases() {
        return Recipes.cases("dod.json").stream()
                .map(c -> Arguments.argumentSet(c.get("name").asString(), c));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void readsTheBlockAsItIsMeant(JsonNode c) {
        String text = Recipes.text(c, "text");
        Dod.Source source = Dod.Source.valueOf(c.get("source").asString().toUpperCase(Locale.ROOT));
        if (c.has("expectError")) {
            ProblemException problem =
                    catchThrowableOfType(
                            ProblemException.class, () -> DodParser.parse(text, source));
            assertThat(problem.code()).isEqualTo(ProblemCode.DOD_LIMIT);
            assertThat(problem.code().status()).isEqualTo(c.at("/expectError/status").intValue());
            assertThat(problem.facts())
                    .containsEntry("limit", c.at("/expectError/limit").asString());
            return;
        }
        ParsedBlock block = DodParser.parse(text, source);
        JsonNode expect = c.get("expect");
        if (expect.isNull()) {
            assertThat(block.dod()).isNull();
            assertDiagnostics(block, c.get("nullDiagnosticCodes"), c.get("nullDiagnosticLines"));
            assertThat(block.loneTag()).isEqualTo(!block.diagnostics().isEmpty());
        } else {
            assertDod(block.dod(), expect);
            assertDiagnostics(block, expect.get("diagnosticCodes"), expect.get("diagnosticLines"));
        }
    }

    private static void assertDod(Dod dod, JsonNode expect) {
        assertThat(dod).isNotNull();
        assertThat(dod.kind().wire()).isEqualTo(expect.get("kind").asString());
        assertThat(dod.source().wire()).isEqualTo(expect.get("source").asString());
        JsonNode deliverable = expect.get("deliverable");
        assertThat(dod.deliverable())
                .isEqualTo(deliverable.isNull() ? null : deliverable.asString());
        assertThat(dod.criteria())
                .isEqualTo(
                        Recipes.list(expect.get("criteria")).stream()
                                .map(JsonNode::asString)
                                .toList());
        assertThat(dod.checks().stream().map(DodCasesTests::shown).toList())
                .isEqualTo(
                        Recipes.list(expect.get("checks")).stream()
                                .map(DodCasesTests::members)
                                .toList());
    }

    private static Map<String, String> shown(Check check) {
        Map<String, String> shown = new LinkedHashMap<>();
        CheckJson.members(check).forEach((key, value) -> shown.put(key, value.toString()));
        if (check instanceof Check.Malformed malformed) {
            assertThat(malformed.reason()).contains("(line " + malformed.line() + ")");
            return Map.of("malformed", "true", "code", malformed.code());
        }
        return shown;
    }

    private static Map<String, String> members(JsonNode check) {
        Map<String, String> members = new LinkedHashMap<>();
        check.propertyNames()
                .forEach(
                        name -> {
                            String plain = name.replaceAll("Parts$", "");
                            members.put(plain, Recipes.text(check, plain));
                        });
        return members;
    }

    private static void assertDiagnostics(ParsedBlock block, JsonNode codes, JsonNode lines) {
        assertThat(block.diagnostics().stream().map(Diagnostic::code).toList())
                .isEqualTo(stream(codes).map(JsonNode::asString).toList());
        assertThat(block.diagnostics().stream().map(Diagnostic::line).toList())
                .isEqualTo(stream(lines).map(JsonNode::intValue).toList());
        assertThat(block.diagnostics())
                .allSatisfy(
                        diagnostic -> {
                            assertThat(diagnostic.column()).isPositive();
                            assertThat(diagnostic.message())
                                    .contains("(line " + diagnostic.line() + ")");
                        });
    }

    private static Stream<JsonNode> stream(JsonNode list) {
        return StreamSupport.stream(list.spliterator(), false);
    }

    @ParameterizedTest
    @MethodSource("cases")
    void everyDefinitionSurvivesTheStore(JsonNode c) {
        if (c.has("expectError") || c.get("expect").isNull()) return;
        Dod dod = DodParser.parse(Recipes.text(c, "text"), Dod.Source.EXPLICIT).dod();
        assertThat(DodRendering.stored(dod)).isEqualTo(dod);
    }

    static List<JsonNode> wellFormed() {
        return Recipes.cases("dod.json").stream()
                .filter(c -> !c.has("expectError") && !c.get("expect").isNull())
                .filter(c -> !c.get("expect").toString().contains("\"malformed\""))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("wellFormed")
    void readingWhatWasReadChangesNothing(JsonNode c) {
        Dod dod = DodParser.parse(Recipes.text(c, "text"), Dod.Source.EXPLICIT).dod();
        DodRendering.assertReadsBack(dod);
    }
}
