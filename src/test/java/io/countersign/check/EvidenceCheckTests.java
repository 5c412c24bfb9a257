package io.countersign.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.countersign.dod.Check;
import io.countersign.evidence.Documents;
import io.countersign.evidence.ValidatedEvidence;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.Optional;

/** Only complete evidence carries an assertion, and what was redacted carries none. */
class EvidenceCheckTests {
    private static final String INPUT = "{\"command\": \"npm test -- parser\", \"port\": 8080}";

    private static ValidatedEvidence calls(String... toolsAndInputs) {
        return Documents.valid(Documents.calls(toolsAndInputs));
    }

    private static ValidatedEvidence evidence(String name) {
        return Documents.valid(Documents.document(name));
    }

    private static Optional<String> called(
            ValidatedEvidence evidence, String tool, Integer min, String outcome, String input) {
        return EvidenceCheck.unmet(
                new Check.ToolCalled(tool, min, outcome, input, null, 1), evidence);
    }

    private static Optional<String> called(ValidatedEvidence evidence, String tool, String at) {
        return EvidenceCheck.unmet(new Check.ToolCalled(tool, null, null, null, at, 1), evidence);
    }

    private static Optional<String> notCalled(
            ValidatedEvidence evidence, String tool, String input, String at) {
        return EvidenceCheck.unmet(new Check.ToolNotCalled(tool, null, input, at, 1), evidence);
    }

    private static Optional<String> complete(ValidatedEvidence evidence, String at) {
        return EvidenceCheck.unmet(new Check.EvidenceComplete(at, 1), evidence);
    }

    @Test
    void withoutEvidenceNothingHolds() {
        assertThat(called(null, "bash", null)).hasValueSatisfying(r -> r.contains("no runtime"));
        assertThat(notCalled(null, "bash", null, null)).isPresent();
        assertThat(complete(null, null)).isPresent();
    }

    @Test
    void aCallIsCounted() {
        ValidatedEvidence evidence = calls("bash", INPUT, "read", "{}", "bash", "\"ls\"");
        assertThat(called(evidence, "bash", null)).isEmpty();
        assertThat(called(evidence, "bash", 2, "success", null)).isEmpty();
        assertThat(called(evidence, "bash", 3, null, null))
                .contains("tool bash was called 2 times, 3 needed");
        assertThat(called(evidence, "bash", null, "error", null)).isPresent();
        assertThat(called(evidence, "Bash", null)).isPresent();
        assertThat(called(evidence, "bas", null)).isPresent();
    }

    @ParameterizedTest
    @CsvSource({
        "npm test, true",
        "8080, true",
        "'\"port\":8080', true",
        "npm  test, false",
        "pnpm, false"
    })
    void inputIsSearchedInItsTextsAndItsJson(String wanted, boolean found) {
        ValidatedEvidence evidence = calls("bash", INPUT);
        assertThat(called(evidence, "bash", 1, null, wanted).isEmpty()).isEqualTo(found);
        assertThat(notCalled(evidence, "bash", wanted, null).isEmpty()).isEqualTo(!found);
    }

    @Test
    void aCommandLineOfWordsIsSearchedAsOne() {
        ValidatedEvidence evidence = calls("bash", "{\"argv\": [\"rm\", \"-rf\", \"dist\"]}");
        assertThat(notCalled(evidence, "bash", "rm -rf", null)).isPresent();
    }

    @Test
    void absenceHoldsOnlyOnCompleteEvidence() {
        assertThat(notCalled(evidence("no-calls-closed"), "write", null, null)).isEmpty();
        assertThat(notCalled(calls("write", "{}"), "write", null, null))
                .contains("tool write was called 1 times");
        assertThat(notCalled(evidence("not-closed"), "write", null, null))
                .contains(
                        "runtime evidence is incomplete: boundary native is incomplete, boundary"
                                + " code_mode_execution is incomplete");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "missing-terminal-among-finished",
                "timeout-with-open-call",
                "observer-failures"
            })
    void aGapSupportsNoAssertionAtAll(String name) {
        ValidatedEvidence evidence = evidence(name);
        assertThat(called(evidence, "bash", null)).isPresent();
        assertThat(called(evidence, "bash", "code_mode_execution")).isPresent();
        assertThat(notCalled(evidence, "write", null, "code_mode_execution")).isPresent();
        assertThat(complete(evidence, null)).isPresent();
        assertThat(complete(evidence, "code_mode_execution"))
                .hasValueSatisfying(reason -> assertThat(reason).contains("incomplete"));
    }

    @Test
    void anUnsupportedBoundaryDoesNotSpoilTheCompleteOne() {
        ValidatedEvidence evidence = evidence("required-field-unsupported-in-native");
        assertThat(notCalled(evidence, "write", null, "code_mode_execution")).isEmpty();
        assertThat(complete(evidence, "code_mode_execution")).isEmpty();
        assertThat(complete(evidence, null)).isEmpty();
        assertThat(complete(evidence, "native"))
                .contains("runtime evidence is unsupported: boundary native is unsupported");
        assertThat(notCalled(evidence, "write", null, null)).isPresent();
        assertThat(called(evidence, "bash", "native")).isPresent();
        assertThat(called(evidence, "bash", null))
                .contains("tool bash was called 0 times, 1 needed; boundary native is unsupported");
    }

    @Test
    void finalityIsNeverComplete() {
        assertThat(complete(evidence("no-calls-closed"), "code_mode_finality"))
                .contains(
                        "runtime evidence is unsupported: boundary code_mode_finality is"
                                + " unsupported");
    }

    private static ValidatedEvidence redacted(String field) {
        ObjectNode document = Documents.calls("bash", INPUT);
        JsonNode state = document.at("/observations/0/" + field);
        ((ObjectNode) state).removeAll().put("state", "redacted").put("reason", "secret_found");
        return Documents.valid(document);
    }

    @Test
    void aRedactedInputKeepsExistenceAndFailsWhatAsksForIt() {
        ValidatedEvidence evidence = redacted("input");
        assertThat(called(evidence, "bash", null)).isEmpty();
        assertThat(called(evidence, "bash", 1, null, "npm test"))
                .hasValueSatisfying(r -> assertThat(r).contains("1 calls cannot be told"));
        assertThat(notCalled(evidence, "bash", "rm -rf", null)).isPresent();
        assertThat(notCalled(evidence, "write", null, null)).isEmpty();
    }

    @Test
    void aRedactedToolMayBeAnyTool() {
        assertThat(called(redacted("tool"), "bash", null)).isPresent();
        assertThat(notCalled(redacted("tool"), "write", null, null))
                .hasValueSatisfying(r -> assertThat(r).contains("may have been called"));
    }

    @Test
    void whatWasRedactedWithinAnInputIsNotKnownToBeAbsent() {
        String secret = "ghp_" + "a8Fk29dLq0ZxV7bN3mTcY5wR1sJ6hGuE4pXo";
        ValidatedEvidence evidence = calls("bash", "\"npm test --token " + secret + "\"");
        assertThat(called(evidence, "bash", 1, null, "npm test")).isEmpty();
        assertThat(notCalled(evidence, "bash", "rm -rf", null)).isPresent();
    }

    @Test
    void aNullToolIsNoTool() {
        ValidatedEvidence evidence = evidence("native-null-tool-name");
        assertThat(called(evidence, "null", null)).isPresent();
        assertThat(notCalled(evidence, "bash", null, null)).isEmpty();
    }
}
