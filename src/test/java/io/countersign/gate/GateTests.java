package io.countersign.gate;

import static org.assertj.core.api.Assertions.assertThat;

import io.countersign.check.CheckOutcome;
import io.countersign.check.CheckResult;
import io.countersign.check.TestCounts;
import io.countersign.dod.Check;
import io.countersign.dod.Dod;
import io.countersign.dod.Hints;
import io.countersign.grader.GradingResult;
import io.countersign.kernel.Cause;
import io.countersign.kernel.Finding;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

class GateTests {
    private static final String TESTS = "[acceptance]\ncheck: testsPass\n[/acceptance]";
    private static final String CRITERIA = "[acceptance]\ncriteria: It works.\n[/acceptance]";
    private static final String MIXED =
            "[acceptance]\ncheck: testsPass\ncriteria: It works.\n[/acceptance]";
    private static final String BASELINE =
            "[acceptance]\ncheck: lintClean\ncriteria: It is safe.\n[/acceptance]";
    private static final GatePolicy DEFAULT =
            new GatePolicy(Require.WHEN_DOD_PRESENT, true, false, false, null);

    @Nested
    class Planning {
        @Test
        void skipsEverythingWhenDisabled() {
            Plan plan = Gate.plan(request().acceptance(TESTS).build(), require(Require.NEVER));
            assertThat(plan)
                    .isInstanceOfSatisfying(
                            Plan.Skip.class,
                            skip ->
                                    assertThat(skip.reason())
                                            .isEqualTo(
                                                    "verification disabled (verify.require=never)"));
        }

        @Test
        void neverOpensForAProducerThatFailedItself() {
            Plan plan =
                    Gate.plan(
                            request().acceptance(TESTS).producerError("out of tokens").build(),
                            require(Require.NEVER));
            assertThat(plan)
                    .isEqualTo(
                            new Plan.Refuse(
                                    plan.dod(),
                                    Cause.WORK,
                                    List.of("producer failed: out of tokens")));
        }

        @Test
        void finishesADelegationThatMayChangeNothing() {
            GatePolicy policy = new GatePolicy(Require.ALWAYS, true, false, true, null);
            Plan unchanged =
                    Gate.plan(request().acceptance(TESTS).knownEmpty(true).build(), policy);
            assertThat(unchanged).isEqualTo(new Plan.Skip(unchanged.dod(), "no_changes"));
            assertThat(Gate.plan(request().acceptance(TESTS).build(), policy))
                    .as("an unknown change-set is not an empty one")
                    .isInstanceOf(Plan.Verify.class);
        }

        @ParameterizedTest
        @EnumSource(names = {"WHEN_DOD_PRESENT", "ALWAYS"})
        void alwaysVerifiesABlock(Require require) {
            Request request = request().dispatch(TESTS).trivial(true).knownEmpty(true);
            assertThat(Gate.plan(request.build(), require(require)))
                    .isInstanceOf(Plan.Verify.class);
        }

        @ParameterizedTest
        @CsvSource(
                delimiter = '|',
                textBlock =
                        """
                        Do it.\\n[acceptance]\\ncheck: testsPass | [acceptance] is never closed (line 2)
                        [acceptance]\\n[/acceptance] | the acceptance block is empty
                        """)
        void refusesABlockThatCannotBeVerified(String dispatch, String reason) {
            Request request = request().dispatch(dispatch.replace("\\n", "\n")).trivial(true);
            assertRefused(request, DEFAULT, Cause.DOD, reason);
        }

        @ParameterizedTest
        @CsvSource({"''", "just words"})
        void neverLooksPastAnAcceptanceFieldWithoutABlock(String acceptance) {
            Request request = request().acceptance(acceptance).dispatch(TESTS);
            assertRefused(request, DEFAULT, Cause.DOD, "acceptance holds no complete");
        }

        @Test
        void skipsATrivialTaskUnlessVerificationIsAlwaysRequired() {
            Request trivial = request().dispatch("Fix the typo").trivial(true);
            assertThat(Gate.plan(trivial.build(), DEFAULT)).isInstanceOf(Plan.Skip.class);
            assertThat(Gate.plan(trivial.build(), require(Require.ALWAYS)))
                    .isInstanceOf(Plan.Verify.class);
        }

        @Test
        void isStrictWithPlans() {
            assertRefused(request().mode(Mode.PLAN), DEFAULT, Cause.DOD, "(plan mode is strict)");
        }

        @Test
        void asksForABlockWhereOneIsRequired() {
            GatePolicy explicit = new GatePolicy(Require.WHEN_DOD_PRESENT, true, true, false, null);
            assertRefused(request(), explicit, Cause.DOD, "an explicit Definition of Done");
        }

        @Test
        void skipsAResearchDelegationOnlyWhenItIsKnownThatNothingChanged() {
            Request research = request().dispatch("Explain the parser");
            assertThat(Gate.plan(research.knownEmpty(true).build(), DEFAULT))
                    .isInstanceOf(Plan.Skip.class);
            assertThat(Gate.plan(research.knownEmpty(false).build(), DEFAULT))
                    .isInstanceOf(Plan.Verify.class);
            assertThat(
                            Gate.plan(
                                    research.knownEmpty(true).wiring(Wiring.AUTHORITATIVE).build(),
                                    DEFAULT))
                    .isInstanceOf(Plan.Verify.class);
            assertThat(Gate.plan(research.knownEmpty(true).build(), require(Require.ALWAYS)))
                    .isInstanceOf(Plan.Verify.class);
        }

        @Test
        void infersWhereThereIsNoBlock() {
            Plan plan = Gate.plan(request().dispatch("Fix the bug").build(), DEFAULT);
            assertThat(plan.dod().source()).isEqualTo(Dod.Source.INFERRED);
        }

        @Test
        void gradesTheCriteriaOfAMixedDodOnlyWherePolicySaysSo() {
            assertThat(verify(request().acceptance(MIXED), DEFAULT).criteria(true)).isEmpty();
            GatePolicy both = new GatePolicy(Require.WHEN_DOD_PRESENT, false, false, false, null);
            Plan.Verify plan = verify(request().acceptance(MIXED), both);
            assertThat(plan.criteria(true)).containsExactly("It works.");
            assertThat(plan.criteria(false)).isEmpty();
        }

        @Test
        void addsTheBaselineAndAlwaysGradesItsCriteria() {
            Plan.Verify plan = verify(request().acceptance(MIXED), baseline());
            assertThat(plan.checks())
                    .hasExactlyElementsOfTypes(Check.TestsPass.class, Check.LintClean.class);
            assertThat(plan.criteria(false)).containsExactly("It is safe.");
        }

        @Test
        void addsTheChecksOfATaskContract() {
            Check contract = new Check.Run("npm test", null, null, 0);
            assertThat(verify(request().contract(contract), DEFAULT).checks())
                    .containsExactly(contract);
            assertThat(verify(request().acceptance(TESTS).contract(contract), DEFAULT).checks())
                    .hasSize(2);
        }

        private Plan.Verify verify(Request request, GatePolicy policy) {
            return (Plan.Verify) Gate.plan(request.build(), policy);
        }

        private void assertRefused(Request request, GatePolicy policy, Cause cause, String reason) {
            assertThat(Gate.plan(request.build(), policy))
                    .isInstanceOfSatisfying(
                            Plan.Refuse.class,
                            refusal -> {
                                assertThat(refusal.cause()).isEqualTo(cause);
                                assertThat(refusal.reasons())
                                        .singleElement()
                                        .asString()
                                        .contains(reason);
                            });
        }
    }

    @Nested
    class Concluding {
        @Test
        void passesWhenEveryCheckPassed() {
            Verdict verdict = conclude(plan(TESTS), results(passed(0)));
            assertThat(verdict.pass()).isTrue();
            assertThat(verdict.method()).isEqualTo(Method.DETERMINISTIC);
            assertThat(verdict.reasons()).containsExactly("all 1 deterministic checks passed");
            assertThat(verdict.evidence()).contains("testsPass: 3 tests run");
        }

        @Test
        void saysWhatDidNotPassWithTheFirstCauseThatApplies() {
            Verdict verdict =
                    conclude(
                            plan("[acceptance]\ncheck: testsPass\ncheck: lintClean\n[/acceptance]"),
                            results(
                                    failed(0, Cause.INFRASTRUCTURE, "program not found: npm"),
                                    failed(1, Cause.WORK, "command exited 1: npm run lint")));
            assertThat(verdict.pass()).isFalse();
            assertThat(verdict.cause()).isEqualTo(Cause.WORK);
            assertThat(verdict.reasons())
                    .containsExactly(
                            "testsPass: program not found: npm",
                            "testsPass: command exited 1: npm run lint");
        }

        @Test
        void neverPassesWhenResultsAreMissing() {
            Verdict verdict = conclude(plan(TESTS), results());
            assertThat(verdict.pass()).isFalse();
            assertThat(verdict.cause()).isEqualTo(Cause.INFRASTRUCTURE);
            assertThat(verdict.reasons()).containsExactly("verification failed (fail-closed)");
        }

        @Test
        void neverPassesCriteriaThatNobodyGraded() {
            Verdict verdict = conclude(plan(CRITERIA), results());
            assertThat(verdict.pass()).isFalse();
            assertThat(verdict.cause()).isEqualTo(Cause.INFRASTRUCTURE);
        }

        @Test
        void aGraderCanOnlyRefuse() {
            GradingResult holds = new GradingResult(true, List.of("1: a.ts:1"), null, List.of());
            Verdict verdict =
                    Gate.conclude(
                            plan(MIXED),
                            new Results(
                                    null,
                                    null,
                                    List.of(failed(0, Cause.WORK, "no tests ran")),
                                    holds,
                                    null,
                                    List.of()),
                            Assurance.SELF);
            assertThat(verdict.pass()).isFalse();
            assertThat(verdict.method()).isEqualTo(Method.DETERMINISTIC);
        }

        @Test
        void takesTheGradersVerdict() {
            Finding cut = new Finding("evidence-truncated", "a.ts", "cut");
            GradingResult refused =
                    new GradingResult(false, List.of("1: missing"), Cause.WORK, List.of(cut));
            Verdict verdict =
                    Gate.conclude(
                            plan(CRITERIA),
                            new Results(null, null, List.of(), refused, null, List.of()),
                            Assurance.SELF);
            assertThat(verdict.pass()).isFalse();
            assertThat(verdict.method()).isEqualTo(Method.CHECKER);
            assertThat(verdict.reasons()).containsExactly("1: missing");
            assertThat(verdict.findings()).containsExactly(cut);
        }

        @Test
        void namesTheBudgetThatClosed() {
            Verdict verdict =
                    Gate.conclude(
                            plan(TESTS),
                            new Results(
                                    null,
                                    null,
                                    List.of(failed(0, Cause.WORK, "timed out after 90000ms")),
                                    null,
                                    Duration.ofSeconds(90),
                                    List.of()),
                            Assurance.SELF);
            assertThat(verdict.reasons()).contains("verification gate timed out after 90000ms");
            assertThat(verdict.cause()).isEqualTo(Cause.WORK);
        }

        @Test
        void aPassUnderABaselineIsWorthMoreThanTheProducersOwnExam() {
            Plan.Verify plan =
                    (Plan.Verify)
                            Gate.plan(
                                    request().acceptance(TESTS).build(),
                                    new GatePolicy(
                                            Require.WHEN_DOD_PRESENT, true, false, false, TESTS));
            Results both = results(passed(0), passed(1));
            assertThat(Gate.conclude(plan, both, Assurance.SELF).assurance())
                    .isEqualTo(Assurance.BASELINE);
            assertThat(Gate.conclude(plan, both, Assurance.INDEPENDENT).assurance())
                    .isEqualTo(Assurance.INDEPENDENT);
            Results second = results(passed(0), failed(1, Cause.WORK, "no tests ran"));
            assertThat(Gate.conclude(plan, second, Assurance.SELF).assurance())
                    .isEqualTo(Assurance.SELF);
        }

        @Test
        void aSkipIsAcceptedAndNoPass() {
            Plan.Skip skip =
                    (Plan.Skip)
                            Gate.plan(request().acceptance(TESTS).build(), require(Require.NEVER));
            Verdict verdict = Gate.conclude(skip, Assurance.INDEPENDENT);
            assertThat(verdict.pass()).isFalse();
            assertThat(verdict.accepted()).isTrue();
        }

        private Plan.Verify plan(String block) {
            return (Plan.Verify) Gate.plan(request().acceptance(block).build(), DEFAULT);
        }

        private Verdict conclude(Plan.Verify plan, Results results) {
            return Gate.conclude(plan, results, Assurance.SELF);
        }

        private Results results(CheckResult... checks) {
            return new Results(null, null, List.of(checks), null, null, List.of());
        }
    }

    private static GatePolicy require(Require require) {
        return new GatePolicy(require, true, false, false, null);
    }

    private static GatePolicy baseline() {
        return new GatePolicy(Require.WHEN_DOD_PRESENT, true, false, false, BASELINE);
    }

    private static CheckResult passed(int index) {
        return result(index, CheckOutcome.PASSED, null, null);
    }

    private static CheckResult failed(int index, Cause cause, String reason) {
        return result(index, CheckOutcome.FAILED, cause, reason);
    }

    private static CheckResult result(
            int index, CheckOutcome outcome, @Nullable Cause cause, @Nullable String reason) {
        return new CheckResult(
                index,
                "testsPass",
                "npm test",
                outcome,
                reason,
                cause,
                0,
                Duration.ofMillis(5),
                "bubblewrap",
                outcome == CheckOutcome.PASSED ? new TestCounts(3, 0, 0) : null,
                false,
                null,
                null,
                List.of());
    }

    private static Request request() {
        return new Request();
    }

    /** A request that says nothing until it is told to. */
    private static final class Request {
        private Mode mode = Mode.DISPATCH;
        private Wiring wiring = Wiring.ADVISORY;
        private @Nullable String acceptance;
        private String dispatch = "Fix the bug";
        private boolean trivial;
        private boolean knownEmpty;
        private final List<Check> contract = new ArrayList<>();
        private @Nullable String producerError;

        Request mode(Mode value) {
            mode = value;
            return this;
        }

        Request wiring(Wiring value) {
            wiring = value;
            return this;
        }

        Request acceptance(String value) {
            acceptance = value;
            return this;
        }

        Request dispatch(String value) {
            dispatch = value;
            return this;
        }

        Request trivial(boolean value) {
            trivial = value;
            return this;
        }

        Request knownEmpty(boolean value) {
            knownEmpty = value;
            return this;
        }

        Request contract(Check check) {
            contract.add(check);
            return this;
        }

        Request producerError(String value) {
            producerError = value;
            return this;
        }

        GateRequest build() {
            return new GateRequest(
                    mode,
                    wiring,
                    acceptance,
                    dispatch,
                    trivial,
                    new Hints("npm test", "npm run build", "npm run lint", null),
                    knownEmpty,
                    contract,
                    producerError);
        }
    }
}
