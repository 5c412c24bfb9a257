package io.countersign.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Every case of {@code evidence.json} and {@code assertions.json}. */
class EvidenceCasesTests {
    static Stream<Arguments> documents() {
        return arguments("evidence.json");
    }

    static Stream<Arguments> assertions() {
        return arguments("assertions.json");
    }

    private static Stream<Arguments> arguments(String file) {
        return Documents.cases(file).stream()
                .map(c -> Arguments.argumentSet(c.get("name").asString(), c));
    }

    @ParameterizedTest
    @MethodSource("documents")
    void validatesAndRecomputesTheAccounting(JsonNode c) {
        JsonNode expect = c.get("expect");
        switch (EvidenceValidator.validate(c.get("document"))) {
            case Validation.Refused refused -> {
                assertThat(expect.get("valid").booleanValue()).as("" + refused).isFalse();
                assertThat(refused.problems()).isNotEmpty();
            }
            case Validation.Valid valid -> {
                assertThat(expect.get("valid").booleanValue()).isTrue();
                assertAccounting(valid.evidence(), expect);
            }
        }
    }

    private static void assertAccounting(ValidatedEvidence evidence, JsonNode expect) {
        assertThat(evidence.status().wire()).isEqualTo(expect.get("status").asString());
        assertThat(evidence.eligible()).isEqualTo(expect.get("eligible").booleanValue());
        Map<String, String> boundaries =
                evidence.boundaries().entrySet().stream()
                        .collect(
                                Collectors.toMap(e -> e.getKey().wire(), e -> e.getValue().wire()));
        Map<String, String> expected =
                expect.get("boundaries").properties().stream()
                        .collect(Collectors.toMap(Map.Entry::getKey, e -> e.getValue().asString()));
        assertThat(boundaries).isEqualTo(expected);
    }

    @ParameterizedTest
    @MethodSource("documents")
    void whatIsStoredValidatesAgainToTheSameAccounting(JsonNode c) {
        if (!(EvidenceValidator.validate(c.get("document")) instanceof Validation.Valid first)) {
            return;
        }
        JsonNode stored = first.evidence().document();
        ValidatedEvidence again = Documents.valid(stored);
        assertThat(again.document()).isEqualTo(stored);
        assertThat(again.boundaries()).isEqualTo(first.evidence().boundaries());
        assertThat(again.status()).isEqualTo(first.evidence().status());
        assertThat(stored).as("nothing here is secret").isEqualTo(c.get("document"));
    }

    @ParameterizedTest
    @MethodSource("assertions")
    void onlyCompleteEvidenceCarriesAnAssertion(JsonNode c) {
        String expect = c.get("expect").asString();
        Validation validation = EvidenceValidator.validate(c.get("document"));
        if (expect.equals("refused")) {
            assertThat(validation).isInstanceOf(Validation.Refused.class);
            return;
        }
        ValidatedEvidence evidence = ((Validation.Valid) validation).evidence();
        List<List<String>> fields = new ArrayList<>();
        c.at("/requires/fields").forEach(field -> fields.add(strings(field)));
        EvidenceStatus status =
                Assertions.assertionStatus(evidence, strings(c.at("/requires/boundaries")), fields);
        assertThat(status.wire()).isEqualTo(expect);
    }

    private static List<String> strings(JsonNode list) {
        List<String> strings = new ArrayList<>();
        list.forEach(element -> strings.add(element.asString()));
        return strings;
    }
}
