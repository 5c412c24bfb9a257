package io.countersign.delegation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.countersign.kernel.ProblemException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;

class PlanLinterTests {
    private static final String BLOCK = "[acceptance]\ncheck: testsPass\n[/acceptance]\n";

    @Test
    void eachTaskHasItsBlockOrAnError() {
        assertThat(
                        lint(
                                """
                                # Plan

                                Some prose.

                                ## Parser
                                [acceptance]
                                check: testsPass
                                [/acceptance]

                                ## Docs [trivial]

                                ## Release ##
                                """))
                .containsExactly(
                        "1 Plan: group",
                        "5 Parser: deterministic",
                        "10 Docs: trivial",
                        "12 Release: error");
    }

    @Test
    void aBlockInAListItemBelongsToIt() {
        assertThat(
                        lint(
                                """
                                ## Work
                                - [ ] parser
                                  [acceptance]
                                  check: testsPass
                                  [/acceptance]
                                - [x] docs

                                    nested paragraph
                                  1. write
                                  2. review [TRIVIAL]
                                """))
                .containsExactly(
                        "1 Work: group",
                        "2 parser: deterministic",
                        "6 docs: group",
                        "9 write: error",
                        "10 review: trivial");
    }

    @Test
    void theStepsOfATaskAreCoveredByItsBlock() {
        assertThat(lint("## Task\n" + BLOCK + "- a\n  - b\n- c\n"))
                .containsExactly(
                        "1 Task: deterministic", "5 a: covered", "6 b: covered", "7 c: covered");
        assertThat(lint("## Task\n- a\n- b\n\n" + BLOCK))
                .containsExactly("1 Task: deterministic", "2 a: covered", "3 b: covered");
    }

    @Test
    void aBlockBetweenItemsCoversOnlyTheOneBeforeIt() {
        assertThat(lint("# P\n1. a\n\n" + BLOCK + "\n2. b\n"))
                .containsExactly("1 P: group", "2 a: deterministic", "8 b: error");
        assertThat(lint("# P\n1. a\n\n" + BLOCK + "\n2. b\n\n" + BLOCK))
                .containsExactly("1 P: group", "2 a: deterministic", "8 b: deterministic");
        assertThat(lint("- a\n- b\n\n" + BLOCK))
                .containsExactly("1 a: error", "2 b: deterministic");
        assertThat(lint("- a\n- b\n" + BLOCK)).containsExactly("1 a: error", "2 b: deterministic");
    }

    @Test
    void whatIsNoHeadingOrItemIsNoTask() {
        assertThat(
                        lint(
                                """
                                ---
                                title: x
                                ---
                                # Real
                                ```md
                                # not one
                                - not one
                                ```
                                ~~~~
                                ~~~
                                - still code
                                ~~~~

                                    - indented code
                                <!-- - not one
                                # not one
                                -->
                                * * *
                                ***
                                #no heading
                                paragraph
                                2. no list here
                                > - quoted
                                """))
                .containsExactly("4 Real: error");
    }

    @Test
    void linesInABlockAreNoTasks() {
        assertThat(
                        lint(
                                """
                                # Task
                                ```
                                [dod]
                                - check: testsPass
                                criteria: x
                                # comment
                                [/dod]
                                ```
                                """))
                .containsExactly("1 Task: deterministic");
    }

    @Test
    void readsUnderlinedHeadingsAndTabs() {
        assertThat(lint("Title\n=====\n\nTask\nmore\n---\n" + BLOCK + "-\ta\n\t- b\n"))
                .containsExactly(
                        "1 Title: group",
                        "4 Task: deterministic",
                        "10 a: covered",
                        "11 b: covered");
    }

    @Test
    void halfABlockSwallowsNothing() {
        List<PlanTask> tasks =
                PlanLinter.lint("# A\n[acceptance]\ncheck: testsPass\n# B\n" + BLOCK);

        assertThat(tasks).extracting(PlanTask::title).containsExactly("A", "B");
        assertThat(tasks.getFirst().finding())
                .isEqualTo(new PlanTask.Faulty(null, "[acceptance] is never closed (line 2)"));
        assertThat(tasks.getLast().finding()).isInstanceOf(PlanTask.Defined.class);
    }

    @Test
    void anErrorInABlockNamesTheLineOfThePlan() {
        List<PlanTask> tasks =
                PlanLinter.lint("# A\n\n\n[acceptance]\ncheck: testPass\n[/acceptance]\n");

        assertThat(tasks.getFirst().finding())
                .isInstanceOfSatisfying(
                        PlanTask.Faulty.class,
                        f -> assertThat(f.message()).contains("testPass").contains("testsPass"));
        PlanTask.Faulty faulty = (PlanTask.Faulty) tasks.getFirst().finding();
        assertThat(faulty.dod()).isNotNull();
        assertThat(faulty.dod().diagnostics().getFirst().line()).isEqualTo(5);
    }

    @Test
    void aBlockWithNothingToCheckIsAnError() {
        assertThat(lint("# A\n[acceptance]\n[/acceptance]\n")).containsExactly("1 A: error");
    }

    @Test
    void readsTheStateOfCheckBoxes() {
        assertThat(PlanLinter.lint("- [ ] a [trivial]\n- [X] b\n- [y] c\n"))
                .extracting(PlanTask::done)
                .containsExactly(false, true, null);
    }

    @Test
    void nestedMarkersOnOneLineAreNestedItems() {
        assertThat(lint("- - a\n  - b\n+ # c\n"))
                .containsExactly("1 : group", "1 a: error", "2 b: error", "3 c: error");
    }

    @Test
    void refusesPlansThatAreTooLarge() {
        for (String plan : List.of("x".repeat(256 * 1024 + 1), "- a\n".repeat(2_001))) {
            assertThatExceptionOfType(ProblemException.class)
                    .isThrownBy(() -> PlanLinter.lint(plan))
                    .satisfies(e -> assertThat(e.code().status()).isEqualTo(422));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "# ",
                "- ",
                "[acceptance]\n",
                "    ",
                "- - - ",
                "> ",
                "```\n",
                "<!--",
                "\t",
                "#"
            })
    @Timeout(20)
    void readsHostileTextInLinearTime(String piece) {
        String plan = piece.repeat((256 * 1024 - 10) / piece.length()) + "x";

        assertThatCode(() -> lintOrRefuse(plan)).doesNotThrowAnyException();
    }

    /** Too many tasks are refused; that is an end too. */
    private static void lintOrRefuse(String plan) {
        try {
            PlanLinter.lint(plan);
        } catch (ProblemException e) {
            assertThat(e.code().status()).isEqualTo(422);
        }
    }

    private static List<String> lint(String markdown) {
        return PlanLinter.lint(markdown).stream()
                .map(t -> t.line() + " " + t.title() + ": " + shown(t.finding()))
                .toList();
    }

    private static String shown(PlanTask.Finding finding) {
        return switch (finding) {
            case PlanTask.Defined defined -> defined.dod().kind().wire();
            case PlanTask.Trivial _ -> "trivial";
            case PlanTask.Group _ -> "group";
            case PlanTask.Covered _ -> "covered";
            case PlanTask.Faulty _ -> "error";
        };
    }
}
