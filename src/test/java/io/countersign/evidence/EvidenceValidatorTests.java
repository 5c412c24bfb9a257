package io.countersign.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Rules that the case files do not cover. */
class EvidenceValidatorTests {
    private static List<EvidenceProblem> problems(JsonNode document) {
        return EvidenceValidator.validate(document) instanceof Validation.Refused refused
                ? refused.problems()
                : List.of();
    }

    private static void claim(ObjectNode document, String whole, String native_, String code) {
        document.put("status", whole).put("evidence_eligible", whole.equals("complete"));
        boundary(document, "native", native_);
        boundary(document, "code_mode_execution", code);
    }

    private static void boundary(ObjectNode document, String name, String status) {
        ((ObjectNode) document.at("/coverage/boundaries/" + name))
                .put("status", status)
                .put("evidence_eligible", status.equals("complete"));
    }

    private static ArrayNode losses(ObjectNode document) {
        return document.withObject("/coverage").withArray("losses");
    }

    private static ObjectNode withParent(String kind, String id) {
        ObjectNode document = Documents.calls("task", "{}", "bash", "{}");
        Documents.value(document.at("/observations/0"), "parent")
                .putObject("value")
                .put("kind", kind)
                .put("id", id);
        return document;
    }

    @ParameterizedTest
    @ValueSource(strings = {"nobody", "call-0", "call-1"})
    void aParentThatDidNotStartEarlierIsOfTheInvalidFamily(String parent) {
        ObjectNode document = withParent("invocation", parent);
        assertThat(problems(document)).isNotEmpty();
        claim(document, "invalid", "invalid", "invalid");
        assertThat(problems(document)).isEmpty();
    }

    @Test
    void aSessionParentNeedsNoObservation() {
        assertThat(problems(withParent("session", "nobody"))).isEmpty();
    }

    @Test
    void aCodeThatRepeatsNoFindingIsALoss() {
        ObjectNode document = Documents.calls("bash", "{}");
        losses(document).add("missing_terminal");
        assertThat(problems(document)).isNotEmpty();
        claim(document, "incomplete", "incomplete", "incomplete");
        assertThat(problems(document)).isEmpty();
    }

    @Test
    void aCodeThatRepeatsAnOmittedFieldDoesNotSpread() {
        ObjectNode document = Documents.calls("bash", "{}");
        losses(document).add("required_field_omitted");
        Documents.value(document.at("/observations/0"), "actor")
                .removeAll()
                .put("state", "omitted")
                .put("reason", "not_recorded");
        claim(document, "incomplete", "incomplete", "complete");
        assertThat(problems(document)).isEmpty();
    }

    @Test
    void aBlindHostCanHaveLostNothing() {
        ObjectNode document =
                (ObjectNode) Documents.document("unsupported-transport-two-reasons").deepCopy();
        assertThat(problems(document)).isEmpty();
        losses(document).add("capture_io_error");
        assertThat(problems(document))
                .extracting(EvidenceProblem::pointer)
                .contains("/coverage/losses");
    }

    @Test
    void aNumberThatIsReadAsInfinityIsNoJsonValue() {
        assertThat(problems(Documents.calls("bash", "{\"n\": [1e999]}")))
                .extracting(EvidenceProblem::message)
                .containsExactly("has a number that is too large");
    }

    @Test
    void nestingIsBounded() {
        ObjectNode document = Documents.calls("bash", "{}");
        JsonNode deep = JsonMapper.shared().createArrayNode();
        for (int i = 0; i < 20_000; i++) deep = JsonMapper.shared().createArrayNode().add(deep);
        Documents.value(document.at("/observations/0"), "input").set("value", deep);
        assertThat(problems(document))
                .extracting(EvidenceProblem::message)
                .containsExactly("is nested more than 500 deep");
    }

    @Test
    void aProblemNamesThePlaceAndNeverAValue() {
        ObjectNode document = Documents.calls("bash", "\"s3cr3t\"");
        ((ObjectNode) document.at("/observations/0")).put("s3cr3t", "s3cr3t").put("mode", "s3cr3t");
        assertThat(problems(document))
                .extracting(EvidenceProblem::pointer)
                .contains("/observations/0");
        assertThat(problems(document).toString()).doesNotContain("s3cr3t");
    }

    @Test
    void problemsAreBounded() {
        String[] calls = new String[600];
        java.util.Arrays.fill(calls, "{}");
        ObjectNode document = Documents.calls(calls);
        document.withArray("observations").forEach(o -> ((ObjectNode) o).put("mode", "x"));
        assertThat(problems(document)).hasSize(100);
    }

    /** Mutates valid documents: nothing crashes, and what stays valid says the truth of itself. */
    @RepeatedTest(20)
    void aMutatedDocumentIsRefusedOrStaysConsistent(RepetitionInfo repetition) {
        SplittableRandom random = new SplittableRandom(repetition.getCurrentRepetition());
        List<JsonNode> documents =
                Documents.cases("evidence.json").stream().map(c -> c.get("document")).toList();
        for (int i = 0; i < 300; i++) {
            JsonNode document = documents.get(random.nextInt(documents.size())).deepCopy();
            for (int n = 1 + random.nextInt(3); n > 0; n--) mutate(document, random, documents);
            if (EvidenceValidator.validate(document) instanceof Validation.Valid valid) {
                ValidatedEvidence evidence = valid.evidence();
                assertThat(document.get("status").asString()).isEqualTo(evidence.status().wire());
                ValidatedEvidence again = Documents.valid(evidence.document());
                assertThat(again.document()).isEqualTo(evidence.document());
                assertThat(again.boundaries()).isEqualTo(evidence.boundaries());
            }
        }
    }

    private static void mutate(JsonNode document, SplittableRandom random, List<JsonNode> others) {
        List<JsonNode> containers = containers(document);
        if (containers.isEmpty()) return;
        JsonNode other = others.get(random.nextInt(others.size()));
        List<JsonNode> values = containers(other);
        JsonNode value = values.isEmpty() ? other : values.get(random.nextInt(values.size()));
        if (value.size() > 0 && random.nextBoolean()) {
            value = value.values().stream().skip(random.nextInt(value.size())).findFirst().get();
        }
        switch (containers.get(random.nextInt(containers.size()))) {
            case ObjectNode object -> {
                List<String> names = new ArrayList<>(object.propertyNames());
                if (names.isEmpty()) return;
                String name = names.get(random.nextInt(names.size()));
                if (random.nextInt(4) == 0) object.remove(name);
                else object.set(name, value.deepCopy());
            }
            case ArrayNode array -> array.add(value.deepCopy());
            default -> throw new AssertionError();
        }
    }

    private static List<JsonNode> containers(JsonNode document) {
        List<JsonNode> all = new ArrayList<>();
        if (document.isContainer()) all.add(document);
        for (int i = 0; i < all.size(); i++) {
            all.get(i)
                    .forEach(
                            child -> {
                                if (child.isContainer()) all.add(child);
                            });
        }
        return all;
    }
}
