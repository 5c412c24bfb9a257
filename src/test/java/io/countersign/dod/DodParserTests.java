package io.countersign.dod;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.fail;

import io.countersign.kernel.ProblemException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** Rules of the language that the case file does not cover, or whose wording matters. */
class DodParserTests {
    private static ParsedBlock parse(String text) {
        return DodParser.parse(text, Dod.Source.EXPLICIT);
    }

    private static Dod block(String... lines) {
        Dod dod = parse("[acceptance]\n" + String.join("\n", lines) + "\n[/acceptance]").dod();
        return dod == null ? fail("no block") : dod;
    }

    private static Check only(String line) {
        List<Check> checks = block(line).checks();
        assertThat(checks).hasSize(1);
        return checks.getFirst();
    }

    private static List<String> codes(Dod dod) {
        return dod.diagnostics().stream().map(Diagnostic::code).toList();
    }

    private static Check.Malformed malformed(String line) {
        return (Check.Malformed) only(line);
    }

    @Test
    void anUnknownKindIsNamedWithItsLineAndWhatItMayHaveBeen() {
        assertThat(malformed("check: testPass").reason())
                .isEqualTo("unknown check kind \"testPass\" (line 2), did you mean \"testsPass\"?");
        assertThat(malformed("check: frobnicate").reason())
                .startsWith(
                        "unknown check kind \"frobnicate\" (line 2), known are run, fileExists");
    }

    @Test
    void keysOfAnUnknownKindAreNotRead() {
        assertThat(codes(block("check: nothing a=\"b"))).containsExactly("unknown-check-kind");
    }

    @ParameterizedTest
    @CsvSource({
        "'[acceptance]\ncheck: testsPass', [acceptance] is never closed (line 1)",
        "'a\nb\n[DOD]', [dod] is never closed (line 3)",
        "'x\n[/acceptance]', [/acceptance] is never opened (line 2)",
        "'[/dod]\n[acceptance]', [/dod] is never opened (line 1)"
    })
    void halfABlockShowsIntent(String text, String reason) {
        ParsedBlock parsed = parse(text);
        assertThat(parsed.dod()).isNull();
        assertThat(parsed.loneTag()).isTrue();
        assertThat(parsed.loneTagReason()).isEqualTo(reason);
    }

    @Test
    void aLoneTagBesideACompleteBlockIsAWarningOnly() {
        ParsedBlock parsed = parse("[/dod]\n[dod]\ncheck: testsPass\n[/dod]\n[dod]");
        assertThat(parsed.loneTag()).isFalse();
        assertThat(parsed.dod()).isNotNull();
        assertThat(parsed.diagnostics())
                .extracting(Diagnostic::code, Diagnostic::line)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple("lone-tag", 1),
                        org.assertj.core.groups.Tuple.tuple("lone-tag", 5));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "chek: testsPass",
                "chek testsPass",
                "checks: testsPass",
                "Check testsPass",
                "check=testsPass",
                "check\uFF1A testsPass",
                "check\uFF1AtestsPass",
                "check\u200b: testsPass",
                "ch\u00adeck: testsPass",
                "\u0441\u04bb\u0435\u0441\u043a: testsPass",
                "\uff43\uff48\uff45\uff43\uff4b: testsPass",
                "\ud835\udc1c\ud835\udc21\ud835\udc1e\ud835\udc1c\ud835\udc24: testsPass",
                "**check:** testsPass",
                "`check: testsPass`",
                "- chek: testsPass",
                "criterion: works",
                "criteria works",
                "\u0441r\u0456t\u0435r\u0456\u0430: works"
            })
    void aNearMissOfADirectiveStaysAsACheckThatFails(String line) {
        assertThat(malformed(line).code()).isEqualTo("misspelt-directive");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "check : testsPass",
                "CHECK:testsPass",
                "\u200bcheck: testsPass\u2060",
                "\u202acheck: testsPass\u202c",
                "\u3000check\u2003:\u2009testsPass\u00a0"
            })
    void spacesAndInvisibleEdgesDoNotMatter(String line) {
        Dod dod = block(line);
        assertThat(dod.checks()).containsExactly(new Check.TestsPass(null, null, null, null, 2));
        assertThat(dod.diagnostics()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"- ", "* ", "+ ", "1. ", "23) ", "- [ ] ", "- [x] ", "* [X]  ", "- - "})
    void aListMarkerIsReadWithOneWarning(String marker) {
        Dod dod = block(marker + "check: testsPass");
        assertThat(dod.checks()).containsExactly(new Check.TestsPass(null, null, null, null, 2));
        assertThat(codes(dod)).containsExactly("list-marker");
    }

    @ParameterizedTest
    @CsvSource({"500ms, PT0.5S", "1.5s, PT1.5S", "90s, PT1M30S", "2m, PT2M", "0.1ms, PT0.001S"})
    void aTimeoutIsAPositiveNumberWithAUnit(String timeout, Duration expected) {
        assertThat(only("check: lintClean timeout=" + timeout))
                .isEqualTo(new Check.LintClean(null, expected, 2));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "timeout=0s",
                "timeout=90",
                "timeout=-1s",
                "timeout=1h",
                "timeout=1e3s",
                "timeout=.5s",
                "timeout=9999999999999s",
                "min=0",
                "min=-1",
                "min=1.0",
                "min=+1",
                "min=99999999999",
                "min=\u0661",
                "min=one"
            })
    void aNumberThatCannotBeReadIsAnError(String pair) {
        assertThat(malformed("check: testsPass " + pair).code()).isEqualTo("invalid-value");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "toolCalled tool=bash outcome=ok",
                "toolCalled tool=bash boundary=Native",
                "evidenceComplete boundary=all",
                "schemaMatch path=a schema={} dialect=draft-04"
            })
    void aWordThatTheKeyDoesNotTakeIsAnError(String check) {
        assertThat(malformed("check: " + check).code()).isEqualTo("invalid-value");
    }

    @Test
    void everyKeyOfToolCallsIsRead() {
        assertThat(only("check: toolCalled tool=bash min=2 outcome=success input~=\"npm t\""))
                .isEqualTo(new Check.ToolCalled("bash", 2, "success", "npm t", null, 2));
        assertThat(only("check: toolNotCalled tool=write boundary=code_mode_execution"))
                .isEqualTo(new Check.ToolNotCalled("write", null, null, "code_mode_execution", 2));
    }

    @Test
    void fileContainsTakesExactlyOneOfTextAndMatches() {
        assertThat(codes(block("check: fileContains path=a"))).containsExactly("missing-key");
        assertThat(codes(block("check: fileContains path=a text=b matches=c")))
                .containsExactly("conflicting-keys");
    }

    @Test
    void everyErrorOfALineIsReportedFromTheLeft() {
        Dod dod = block("check: fileContains size=1 text=\"\" matches=x matches=y");
        assertThat(codes(dod))
                .containsExactly(
                        "unknown-key",
                        "empty-value",
                        "conflicting-keys",
                        "duplicate-key",
                        "missing-key");
        assertThat(dod.diagnostics().stream().map(Diagnostic::column).toList())
                .containsExactly(21, 33, 36, 46, 55);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "criteria: a\u0000b",
                "deliverable: a\u0000b.txt",
                "criteria: half \ud83d an emoji",
                "check: fileExists path=a\udc00b"
            })
    void whatCannotBeStoredFailsInsteadOfBeingChanged(String line) {
        Check.Malformed check = malformed(line);
        assertThat(check.code()).isEqualTo("invalid-character");
        assertThat(Text.isUnstorable(check.reason())).isFalse();
    }

    @Test
    void aReasonNeverShowsControlCharactersOrPartOfALongWord() {
        String reason = malformed("check: a\u001b[31m\u0000b").reason();
        assertThat(reason).contains("<U+001B>", "<U+0000>");
        String secret = "s3cr3t".repeat(10);
        assertThat(malformed("check: run " + secret).reason())
                .contains("of 60 characters")
                .doesNotContain("s3cr3t");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\u200b", "\u2060\u200d", "\u00a0", "\u2003\u3000", "\u0085"})
    void whatCannotBeSeenIsEmpty(String blank) {
        assertThat(malformed("check: fileExists path=\"" + blank + "\"").code())
                .isEqualTo("empty-value");
        assertThat(codes(block("criteria: " + blank))).containsExactly("empty-criteria");
        assertThat(block("deliverable: a.txt", "deliverable: " + blank).deliverable()).isNull();
    }

    @Test
    void malformedChecksCountTowardsTheLimit() {
        String lines = "chek: x\n".repeat(100);
        assertThat(block(lines).checks()).hasSize(100);
        assertThatThrownBy(() -> block(lines, "check: testsPass"))
                .isInstanceOf(ProblemException.class)
                .hasMessageContaining("more than 100 checks");
    }

    @Test
    void criteriaAndDeliverableAreValuesToo() {
        for (String name : List.of("criteria", "deliverable")) {
            assertThat(block(name + ": " + "é".repeat(8_192)).diagnostics()).isEmpty();
            assertThatThrownBy(() -> block(name + ": " + "é".repeat(8_193)))
                    .isInstanceOf(ProblemException.class)
                    .hasMessageContaining("line 2 is over 16 KiB");
        }
    }

    @Test
    void anInlineValueRunsThroughItsBalancedEndToTheNextSpace() {
        assertThat(only("check: onlyChanged paths=[ab]{c, d}/x"))
                .isInstanceOf(Check.Malformed.class);
        assertThat(only("check: onlyChanged paths={a, b}/*.{js,ts}"))
                .isEqualTo(new Check.OnlyChanged("{a, b}/*.{js,ts}", 2));
        assertThat(malformed("check: onlyChanged paths={a]").code()).isEqualTo("unbalanced-value");
        assertThat(malformed("check: onlyChanged paths={\"a\\").code())
                .isEqualTo("unbalanced-value");
    }

    @Test
    void everyKindIsKnownBySpellingAndCarriesItsKeys() {
        assertThat(Arrays.stream(CheckKind.values()).map(CheckKind::spelling))
                .containsExactly(
                        "run",
                        "fileExists",
                        "fileAbsent",
                        "fileContains",
                        "schemaMatch",
                        "testsPass",
                        "buildPasses",
                        "lintClean",
                        "onlyChanged",
                        "unchanged",
                        "failToPass",
                        "passToPass",
                        "toolCalled",
                        "toolNotCalled",
                        "evidenceComplete");
        for (CheckKind kind : CheckKind.values()) {
            String keys =
                    kind.required().stream()
                            .map(key -> key + "=1")
                            .collect(Collectors.joining(" "));
            String alternative = kind == CheckKind.FILE_CONTAINS ? " text=1" : "";
            Check check = only("check: " + kind.spelling() + " " + keys + alternative);
            assertThat(CheckKind.kind(check)).isEqualTo(kind.spelling());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "src/parser.ts, true", "README.md, true", ".gitignore, true", "src\\Main, true",
        "docs/, true", "Makefile, false", "a short report.md, false", "a\u00a0b.md, false",
        "done., false", "the parser, false"
    })
    void aDeliverableIsAPathOnlyWhenItLooksLikeOne(String deliverable, boolean path) {
        assertThat(Deliverables.isPath(deliverable)).isEqualTo(path);
    }
}
