package io.countersign.decision;

import static org.assertj.core.api.Assertions.assertThat;

import io.countersign.access.AnchorKind;
import io.countersign.decision.Decision.Advisory;
import io.countersign.decision.Decision.Block;
import io.countersign.decision.Decision.Overridden;
import io.countersign.decision.Decision.Pass;
import io.countersign.decision.Decision.ReceiptInvalid;
import io.countersign.decision.Decision.Tamper;
import io.countersign.grader.Quotes;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.util.List;
import java.util.Optional;
import java.util.Set;

class DecisionCoreTests {
    private static final String REFUTED =
            """
            {"schema": "verify_gate.verdict.v1", "drafter_id": "author", "producer_id": "reviewer",
             "lenses": [{"lens": "correctness", "verdict": "refuted", "findings": [
               {"severity": "high", "claim": "drops a token", "cheapest_fix": "keep it",
                "evidence": {"ref": "src/x.py:10", "literal": "return text[1:]"}}]}]}
            """;
    private static final String HOLDS =
            """
            {"schema": "verify_gate.verdict.v1", "drafter_id": "author", "producer_id": "reviewer",
             "lenses": [{"lens": "correctness", "verdict": "holds", "probe": "ran it"}]}
            """;
    private static final String ATTESTATION =
            """
            {"schema": "verify_gate.attestation.v1", "anchor_kind": "harness_subagent",
             "anchor_id": "sub-1", "producer_id": "reviewer", "context_isolated": true}
            """;

    @Test
    void anOverriddenBlockPassesAndSaysWhoAndWhy() {
        Question.Override override = new Question.Override("admin", "known false alarm");

        Decision decision = DecisionCore.decide(ask(REFUTED, ATTESTATION, override, null));

        assertThat(decision)
                .isInstanceOfSatisfying(
                        Overridden.class, o -> assertThat(o.override()).isEqualTo(override));
        assertThat(decision.exitCode()).isZero();
        assertThat(decision.wire()).isEqualTo("pass");
        assertThat(decision.ground().reasons().getFirst())
                .isEqualTo("overridden by admin: known false alarm");
        assertThat(decision.heard().receiptEarned()).isTrue();
    }

    @Test
    void anOverrideTurnsNothingButABlock() {
        Question.Override override = new Question.Override("admin", "because");

        assertThat(DecisionCore.decide(ask(HOLDS, ATTESTATION, override, null)))
                .isInstanceOf(Pass.class);
        assertThat(DecisionCore.decide(ask("{}", ATTESTATION, override, null)))
                .isInstanceOf(Tamper.class);
    }

    @Test
    void anInvalidReceiptTurnsAPassAndAnAdviceIntoSix() {
        String inside = ATTESTATION.replace("harness_subagent", "self");

        assertThat(DecisionCore.decide(ask(HOLDS, ATTESTATION, null, "consumed before")))
                .isInstanceOfSatisfying(
                        ReceiptInvalid.class,
                        r -> assertThat(r.findings().receiptEarned()).isFalse());
        assertThat(DecisionCore.decide(ask(REFUTED, inside, null, "stale")).exitCode())
                .isEqualTo(6);
        assertThat(DecisionCore.decide(ask(REFUTED, ATTESTATION, null, "stale")))
                .isInstanceOf(Block.class);
    }

    @Test
    void aQuoteThatDoesNotOccurInItsFileIsDemotedAndSaidSo() {
        KnownContent content =
                path -> path.equals("src/x.py") ? Optional.of("return text") : Optional.empty();

        Decision decision = DecisionCore.decide(ask(REFUTED, ATTESTATION, content));

        assertThat(decision).isInstanceOf(Pass.class);
        assertThat(decision.heard().demoted()).hasSize(1);
        assertThat(decision.ground().reasons())
                .anyMatch(r -> r.contains("the quoted text does not occur in src/x.py"));
    }

    @Test
    void aQuoteMatchesAcrossDifferentWhiteSpace() {
        KnownContent content = path -> Optional.of("def f():\n    return\n\ttext[1:]\n");

        assertThat(DecisionCore.decide(ask(REFUTED, ATTESTATION, content)))
                .isInstanceOf(Block.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"null", "\"\"", "\"\\u200b \"", "\" \""})
    void anOutsideKindWithoutAnAnchorIdCountsAsSelf(String id) {
        String attestation = ATTESTATION.replace("\"sub-1\"", id);

        Decision decision = DecisionCore.decide(ask(REFUTED, attestation, null, null));

        assertThat(decision).isInstanceOf(Advisory.class);
        assertThat(decision.ground().anchorKind()).isEqualTo(AnchorKind.SELF);
        assertThat(decision.ground().reasons()).anyMatch(r -> r.contains("without an anchor_id"));
    }

    @ParameterizedTest
    @CsvSource({"null,CI", "'\"run-1\"',CI", "'\"run-2\"',SELF"})
    void aRunThatTheCredentialProvesBeatsTheClaim(String id, AnchorKind expected) {
        JsonNode attestation =
                json(ATTESTATION.replace("harness_subagent", "ci").replace("\"sub-1\"", id));
        Question question =
                new Question(
                        json(REFUTED),
                        attestation,
                        new Attestor("ci-bot", Set.of("ci"), "run-1"),
                        false,
                        false,
                        null,
                        null,
                        KnownContent.NONE);

        assertThat(DecisionCore.decide(question).ground().anchorKind()).isEqualTo(expected);
    }

    @Test
    void listsEveryProblemOfAMalformedVerdict() {
        String verdict =
                """
                {"schema": "x", "drafter_id": 1, "producer_id": "reviewer ",
                 "lenses": [{"lens": "a", "verdict": "holds"}, 3,
                            {"lens": "b", "verdict": "refuted", "findings": [{"severity": "worst"}]}]}
                """;

        Decision decision = DecisionCore.decide(ask(verdict, ATTESTATION, null, null));

        assertThat(decision).isInstanceOf(Tamper.class);
        assertThat(decision.ground().reasons())
                .containsExactly(
                        "the verdict's schema is not verify_gate.verdict.v1",
                        "the verdict has no usable producer_id",
                        "the verdict has no usable drafter_id",
                        "lens 1 holds without saying what was probed",
                        "lens 2 is not an object",
                        "finding 1 of lens 3 has no severity of low, medium or high",
                        "the attestation is about another judge than the verdict's");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Attestation",
                "PROVENANCE",
                "anchor-kind",
                "Anchor Kind",
                "context.isolated",
                "\uff41\uff4e\uff43\uff48\uff4f\uff52_kind",
                "anchor\u200b_kind"
            })
    void aVerdictThatAttestsItselfIsTamperingHoweverTheKeyIsSpelled(String key) {
        String verdict = HOLDS.replace("\"probe\"", "\"" + key + "\": 1, \"probe\"");

        Decision decision = DecisionCore.decide(ask(verdict, ATTESTATION, null, null));

        assertThat(decision).isInstanceOf(Tamper.class);
        assertThat(decision.ground().anchorKind()).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"\u00a0", "\u2007", "\u202f", "\u0085", "\u200b\ufeff", "\u3000"})
    void blankIsBlankInEveryScript(String blank) {
        String verdict = HOLDS.replace("ran it", blank);

        assertThat(DecisionCore.decide(ask(verdict, ATTESTATION, null, null)))
                .isInstanceOf(Tamper.class);
    }

    @Test
    void onlyAFullPassOfAnEligibleJudgeEarnsAReceipt() {
        String partial = HOLDS.replace("\"holds\"", "\"partial\"");
        String drafted = HOLDS.replace("\"author\"", "\"orchestrator\"");
        String inside = ATTESTATION.replace("harness_subagent", "same_context");

        assertThat(earned(HOLDS, ATTESTATION)).isTrue();
        assertThat(earned(partial, ATTESTATION)).isFalse();
        assertThat(earned(drafted, ATTESTATION)).as("the attestor drafted it").isFalse();
        assertThat(earned(HOLDS, inside)).isFalse();
        assertThat(earned(HOLDS.replace("\"holds\"", "\"refuted\""), ATTESTATION)).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "src/x.py:10,src/x.py",
        "src/x.py:10-12,src/x.py",
        "src/x.py:10:4,src/x.py",
        "src/x.py#L10,src/x.py",
        "src/x.py#L10-L12,src/x.py",
        "src/x.py (line 10),src/x.py",
        "' src/x.py:10 ',src/x.py",
        "./src/x.py:10,src/x.py",
        "././/src/.//x.py:10,src/x.py",
        "../src/x.py,../src/x.py",
        "/src/x.py,/src/x.py",
        ".hidden/x,.hidden/x",
        "src/x.py:L10-L12,src/x.py",
        "src/x.py,src/x.py",
        "a:b,a:b",
        "v1.0,v1.0"
    })
    void aReferenceNamesAFile(String ref, String path) {
        assertThat(Quotes.pathOf(ref)).isEqualTo(path);
    }

    @Test
    void aReferenceOfAnyLengthIsRead() {
        assertThat(Quotes.pathOf("x" + ":1".repeat(200_000))).startsWith("x:1");
        assertThat(Quotes.pathOf("x" + "/".repeat(200_000) + "y")).isEqualTo("x/y");
        assertThat(Quotes.pathOf("./".repeat(200_000) + "y")).isEqualTo("y");
    }

    @Test
    void aQuoteOfWhatTheJudgeWasShownScrubbedCounts() {
        String secret = "gh" + "p_" + "a1B2".repeat(9);
        KnownContent content = path -> Optional.of("token = \"" + secret + "\"\nreturn text[1:]\n");
        String scrubbed = "token = \\\"" + "[REDACTED]" + "\\\"";

        for (String literal : List.of(scrubbed, "token = \\\"" + secret + "\\\"")) {
            String verdict = REFUTED.replace("return text[1:]", literal);
            assertThat(DecisionCore.decide(ask(verdict, ATTESTATION, content)))
                    .as(literal)
                    .isInstanceOf(Block.class);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {" sub-1", "sub-1 ", "e\\u0301", "\\ud800x", "\\u00a0sub"})
    void anAnchorIdThatIsNoIdIsMalformed(String id) {
        Decision decision =
                DecisionCore.decide(ask(HOLDS, ATTESTATION.replace("sub-1", id), null, null));

        assertThat(decision).isInstanceOf(Tamper.class);
        assertThat(decision.ground().reasons()).contains("the attestation's anchor_id is no id");
    }

    @Test
    void anOverrideIsSaidAlsoWhereTheReceiptIsNotValid() {
        Question.Override override = new Question.Override("admin", "because");

        Decision decision = DecisionCore.decide(ask(REFUTED, ATTESTATION, override, "stale"));

        assertThat(decision).isInstanceOf(ReceiptInvalid.class);
        assertThat(decision.override()).isEqualTo(override);
    }

    private static boolean earned(String verdict, String attestation) {
        return DecisionCore.decide(ask(verdict, attestation, null, null)).heard().receiptEarned();
    }

    private static Question ask(String verdict, String attestation, KnownContent content) {
        return new Question(
                json(verdict),
                json(attestation),
                new Attestor("orchestrator", Set.of("harness_subagent"), null),
                false,
                false,
                null,
                null,
                content);
    }

    private static Question ask(
            String verdict,
            String attestation,
            Question.@Nullable Override override,
            @Nullable String receiptProblem) {
        return new Question(
                json(verdict),
                json(attestation),
                new Attestor("orchestrator", Set.of("harness_subagent"), null),
                false,
                false,
                override,
                receiptProblem,
                KnownContent.NONE);
    }

    private static JsonNode json(String text) {
        return JsonMapper.shared().readTree(text);
    }
}
