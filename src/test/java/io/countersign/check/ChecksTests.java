package io.countersign.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.countersign.artefact.ChangeSet;
import io.countersign.artefact.Workspace;
import io.countersign.check.sandbox.ScriptedSandbox;
import io.countersign.dod.Check;
import io.countersign.dod.Dod;
import io.countersign.dod.DodParser;
import io.countersign.kernel.Cause;
import io.countersign.kernel.Finding;
import io.countersign.kernel.Spans;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

class ChecksTests {
    private static final Instant NOON = Instant.parse("2026-11-30T12:00:00Z");

    @TempDir Path root;

    private final ScriptedSandbox sandbox = new ScriptedSandbox();
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private Instant now = NOON;
    private List<String> altered = List.of();
    private final Checks checks = new Checks(sandbox, () -> now, meters, Spans.NONE);
    private final List<CheckResult> announced = new ArrayList<>();

    @Test
    void runsCheapChecksFirstAndReportsThemInDodOrder() throws InterruptedException {
        Samples.write(root, "a", "x");
        sandbox.exits("node run.js", 0, "")
                .exits("npm test", 0, "2 passed in 0.1s")
                .exits("npm run build", 0, "")
                .exits("npm run lint", 0, "");
        List<CheckResult> results =
                run(
                        "check: run command=\"node run.js\"",
                        "check: testsPass",
                        "check: buildPasses",
                        "check: lintClean",
                        "check: fileExists path=a");
        assertThat(results).extracting(CheckResult::index).containsExactly(0, 1, 2, 3, 4);
        assertThat(results).allMatch(CheckResult::passed);
        assertThat(announced)
                .extracting(CheckResult::kind)
                .containsExactly("fileExists", "lintClean", "buildPasses", "testsPass", "run");
        assertThat(sandbox.commands())
                .containsExactly("npm run lint", "npm run build", "npm test", "node run.js");
        assertThat(results.get(1).tests()).isEqualTo(new TestCounts(2, 0, 0));
        assertThat(results.get(1).isolation()).isEqualTo("bubblewrap");
        assertThat(results.get(1).exitCode()).isZero();
        assertThat(results.get(4).isolation()).isNull();
    }

    @Test
    void goesOnAfterAFailureUnlessTheProjectWantsOtherwise() throws InterruptedException {
        sandbox.exits("npm run lint", 1, "").exits("npm run build", 0, "");
        String[] dod = {"check: buildPasses", "check: lintClean", "check: fileExists path=none"};
        assertThat(run(dod))
                .extracting(CheckResult::outcome)
                .containsExactly(CheckOutcome.PASSED, CheckOutcome.FAILED, CheckOutcome.FAILED);
        CheckPolicy failFast = policy(Duration.ofSeconds(60), true);
        List<CheckResult> results = run(context(failFast, Instant.MAX), dod);
        assertThat(results)
                .extracting(CheckResult::outcome)
                .containsExactly(CheckOutcome.NOT_RUN, CheckOutcome.NOT_RUN, CheckOutcome.FAILED);
        assertThat(results.getFirst().cause()).isNull();
        assertThat(results.getFirst().reason()).contains("fail-fast");
    }

    @Test
    void failFastStillEndsTheTierOfTheFailure() throws InterruptedException {
        Samples.write(root, "a", "x");
        CheckPolicy failFast = policy(Duration.ofSeconds(60), true);
        List<CheckResult> results =
                run(
                        context(failFast, Instant.MAX),
                        "check: fileExists path=none",
                        "check: fileExists path=a");
        assertThat(results)
                .extracting(CheckResult::outcome)
                .containsExactly(CheckOutcome.FAILED, CheckOutcome.PASSED);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "check: run command=\"npm test; echo ok\"",
                "check: run command=\"rm -rf /\"",
                "check: failToPass command=\"sh -c x\"",
                "check: testsPass command=\"npm test || true\""
            })
    void runsNothingWhenACommandIsRefused(String refused) throws InterruptedException {
        List<CheckResult> results = run("check: fileExists path=a", refused);
        assertThat(results)
                .extracting(CheckResult::outcome)
                .containsExactly(CheckOutcome.NOT_RUN, CheckOutcome.REFUSED);
        assertThat(results.get(1).cause()).isEqualTo(Cause.POLICY);
        assertThat(results.get(1).reason()).startsWith("command refused: ");
        assertThat(sandbox.runs()).isEmpty();
        assertThat(announced).isEqualTo(results);
        assertThat(checks.preflight(parse("check: fileExists path=a", refused), context()))
                .isEqualTo(results);
    }

    @Test
    void runsNothingWhenACheckIsMalformed() throws InterruptedException {
        sandbox.exits("npm test", 0, "");
        List<CheckResult> results = run("check: testPass", "check: testsPass");
        assertThat(results)
                .extracting(CheckResult::outcome)
                .containsExactly(CheckOutcome.FAILED, CheckOutcome.NOT_RUN);
        assertThat(results.getFirst().cause()).isEqualTo(Cause.DOD);
        assertThat(results.getFirst().reason()).contains("testPass");
        assertThat(sandbox.runs()).isEmpty();
    }

    @Test
    void preflightHasNothingToSayOfChecksThatMayRun() {
        assertThat(checks.preflight(parse("check: testsPass"), context())).isEmpty();
        assertThat(checks.preflight(List.of(), context())).isEmpty();
    }

    @Test
    void refusesADefaultCommandThatIsNotOnTheAllowlist() {
        var policy =
                new CheckPolicy(
                        List.of("npm"),
                        "gradle test",
                        null,
                        null,
                        Duration.ofSeconds(1),
                        false,
                        false,
                        List.of());
        List<CheckResult> results =
                checks.preflight(parse("check: testsPass"), context(policy, Instant.MAX));
        assertThat(results).extracting(CheckResult::outcome).containsExactly(CheckOutcome.REFUSED);
        assertThat(results.getFirst().command()).isEqualTo("gradle test");
    }

    @Test
    void givesEachCommandTheShorterOfItsTimeBoxAndTheGateBudget() throws InterruptedException {
        sandbox.exits("node a.js", 0, "").exits("node b.js", 0, "").exits("node c.js", 0, "");
        CheckContext context = context(policy(Duration.ofSeconds(60), false), NOON.plusSeconds(45));
        run(
                context,
                "check: run command=\"node a.js\"",
                "check: run command=\"node b.js\" timeout=10s",
                "check: run command=\"node c.js\" timeout=500m");
        assertThat(sandbox.runs())
                .extracting(run -> run.limits().wall())
                .containsExactly(
                        Duration.ofSeconds(45), Duration.ofSeconds(10), Duration.ofSeconds(45));
    }

    @Test
    void runsNothingMoreOnceTheGateBudgetHasClosed() throws InterruptedException {
        sandbox.answers(
                "node a.js",
                command -> {
                    now = now.plusSeconds(45);
                    return new io.countersign.check.sandbox.Outcome.TimedOut(
                            Duration.ofSeconds(45),
                            ScriptedSandbox.exited(command, 0, "", "").output());
                });
        List<CheckResult> results =
                run(
                        context(policy(Duration.ofSeconds(60), false), NOON.plusSeconds(45)),
                        "check: run command=\"node a.js\"",
                        "check: run command=\"node b.js\"");
        assertThat(results)
                .extracting(CheckResult::outcome)
                .containsExactly(CheckOutcome.TIMED_OUT, CheckOutcome.NOT_RUN);
        assertThat(results.getFirst().reason())
                .isEqualTo(
                        "command timed out after 45000ms (all that was left of the gate budget):"
                                + " node a.js");
        assertThat(results.get(1).reason()).contains("gate budget");
        assertThat(results.getFirst().duration()).isEqualTo(Duration.ofSeconds(45));
    }

    @Test
    void holdsTheWorkLiableForWhatItsCommandsBringAbout() throws InterruptedException {
        sandbox.timesOut("node a.js", Duration.ofSeconds(60), "half")
                .isSignalled("node b.js", 11, "killed by signal 11 (SIGSEGV)")
                .isSignalled("node c.js", 9, "memory limit of 4 GiB reached")
                .exits("node d.js", 3, "");
        List<CheckResult> results =
                run(
                        "check: run command=\"node a.js\"",
                        "check: run command=\"node b.js\"",
                        "check: run command=\"node c.js\"",
                        "check: run command=\"node d.js\"");
        assertThat(results).extracting(CheckResult::cause).containsOnly(Cause.WORK);
        assertThat(results)
                .extracting(CheckResult::reason)
                .containsExactly(
                        "command timed out after 60000ms: node a.js",
                        "command killed by signal 11 (SIGSEGV): node b.js",
                        "command was killed (memory limit of 4 GiB reached): node c.js",
                        "command exited 3: node d.js");
        assertThat(results).extracting(CheckResult::exitCode).containsExactly(null, null, null, 3);
        assertThat(Objects.requireNonNull(results.getFirst().stdout()).text()).isEqualTo("half");
    }

    @Test
    void holdsTheServerLiableForMissingToolsAndABrokenSandbox() throws InterruptedException {
        sandbox.isMissing("pytest")
                .isBroken("node b.js")
                .answers(
                        "node c.js",
                        command -> {
                            throw new IllegalStateException("bug");
                        });
        List<CheckResult> results =
                run(
                        "check: testsPass command=pytest",
                        "check: run command=\"node b.js\"",
                        "check: run command=\"node c.js\"");
        assertThat(results).extracting(CheckResult::outcome).containsOnly(CheckOutcome.ERRORED);
        assertThat(results).extracting(CheckResult::cause).containsOnly(Cause.INFRASTRUCTURE);
        assertThat(results.getFirst().reason()).isEqualTo("program not found: pytest");
        assertThat(results.get(2).reason()).doesNotContain("bug");
    }

    @Test
    void holdsTheWorkLiableForAMissingWrapperOfItsOwn() throws InterruptedException {
        sandbox.isMissing("./mvnw test");
        CheckResult result = run("check: testsPass command=\"./mvnw test\"").getFirst();
        assertThat(result.outcome()).isEqualTo(CheckOutcome.FAILED);
        assertThat(result.cause()).isEqualTo(Cause.WORK);
    }

    @Test
    void needsBothTheExpectedTextAndExitCodeZero() throws InterruptedException {
        sandbox.exits("node a.js", 0, "all loaded").exits("node b.js", 1, "", "loaded");
        sandbox.exits("node c.js", 0, "24\n\n");
        List<CheckResult> results =
                run(
                        "check: run command=\"node a.js\" expect=loaded",
                        "check: run command=\"node b.js\" expect=loaded",
                        "check: run command=\"node c.js\" expect=42");
        assertThat(results).extracting(CheckResult::passed).containsExactly(true, false, false);
        assertThat(results.get(1).reason())
                .isEqualTo("command exited 1: node b.js (the expected text was printed)");
        assertThat(results.get(2).reason()).contains("\"42\"").contains("\"24\"");
    }

    @Test
    void namesAMissingScript() throws InterruptedException {
        sandbox.exits("npm run build", 1, "", "npm error Missing script: \"build\"\nnpm error\n");
        assertThat(run("check: buildPasses").getFirst().reason())
                .isEqualTo("command exited 1: npm run build (missing script: build)");
    }

    @Test
    void takesDefaultCommandsFromTheProjectBeforeTheWorkspace() throws InterruptedException {
        Samples.write(root, "Cargo.toml", "[package]\n");
        sandbox.exits(
                        "cargo test",
                        0,
                        "test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured;"
                                + " 0 filtered out; finished in 0.00s")
                .exits("make check", 0, "3 passed in 1s")
                .exits("cargo build", 0, "");
        assertThat(run("check: testsPass").getFirst().command()).isEqualTo("cargo test");
        var policy =
                new CheckPolicy(
                        CommandPolicy.DEFAULT_ALLOWLIST,
                        "make check",
                        " ",
                        null,
                        Duration.ofSeconds(1),
                        false,
                        false,
                        List.of());
        List<CheckResult> results =
                run(context(policy, Instant.MAX), "check: testsPass", "check: buildPasses");
        assertThat(results)
                .extracting(CheckResult::command)
                .containsExactly("make check", "cargo build");
    }

    @Test
    void settlesEveryCommandBeforeTheFirstOneRuns() throws InterruptedException {
        sandbox.answers(
                        "npm run build",
                        command -> {
                            Samples.write(root, "Cargo.toml", "[package]\n");
                            return ScriptedSandbox.exited(command, 0, "", "");
                        })
                .exits("npm test", 0, "1 passed in 1s");
        run("check: buildPasses", "check: testsPass");
        assertThat(sandbox.commands()).containsExactly("npm run build", "npm test");
    }

    @Test
    void failsWhatIsNotAvailableYet() throws InterruptedException {
        List<CheckResult> results =
                run(
                        "check: failToPass command=\"npm test\" tests=a",
                        "check: passToPass command=\"npm test\"");
        assertThat(results).extracting(CheckResult::outcome).containsOnly(CheckOutcome.FAILED);
        assertThat(results)
                .extracting(CheckResult::reason)
                .allMatch(r -> r.contains("not available"));
        assertThat(sandbox.runs()).isEmpty();
    }

    @Test
    void failsEvidenceChecksWithoutEvidence() throws InterruptedException {
        List<CheckResult> results =
                run(
                        "check: toolCalled tool=bash",
                        "check: toolNotCalled tool=bash",
                        "check: evidenceComplete");
        assertThat(results).extracting(CheckResult::outcome).containsOnly(CheckOutcome.FAILED);
    }

    @Test
    void failsEveryCheckOfAVerificationWithoutAWorkspace() throws InterruptedException {
        var context = new CheckContext(null, Samples.UNKNOWN, Samples.policy(), null, Instant.MAX);
        List<CheckResult> results =
                run(
                        context,
                        "check: fileExists path=a",
                        "check: fileAbsent path=a",
                        "check: fileContains path=a text=b",
                        "check: schemaMatch path=a schema={\"a\":1}",
                        "check: testsPass",
                        "check: buildPasses");
        assertThat(results).extracting(CheckResult::outcome).containsOnly(CheckOutcome.FAILED);
        assertThat(sandbox.runs()).isEmpty();
    }

    @Test
    void readsWhatATestRunPrintedOnlyUntilItsTimeBoxCloses() throws InterruptedException {
        sandbox.answers(
                "npm test",
                command -> {
                    now = now.plusSeconds(61);
                    return ScriptedSandbox.exited(command, 0, "2 passed in 0.1s", "");
                });
        CheckResult result = run("check: testsPass").getFirst();
        assertThat(result.outcome()).isEqualTo(CheckOutcome.TIMED_OUT);
        assertThat(result.cause()).isEqualTo(Cause.WORK);
    }

    @Test
    void endsTheReadingOfATestRunWhenTheThreadIsInterrupted() {
        sandbox.answers(
                "npm test",
                command -> {
                    Thread.currentThread().interrupt();
                    return ScriptedSandbox.exited(command, 0, "2 passed in 0.1s", "");
                });
        assertThatThrownBy(() -> run("check: testsPass")).isInstanceOf(InterruptedException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"java.lang.StackOverflowError", "java.lang.NoClassDefFoundError"})
    void endsOneCheckAndNotTheWorkerOnAnErrorThatIsNotTheMachines(Class<? extends Error> kind)
            throws InterruptedException {
        sandbox.answers(
                        "npm run lint",
                        command -> {
                            throw error(kind);
                        })
                .exits("npm run build", 0, "");
        assertThat(run("check: lintClean", "check: buildPasses"))
                .extracting(CheckResult::outcome)
                .containsExactly(CheckOutcome.ERRORED, CheckOutcome.PASSED);
    }

    private static Error error(Class<? extends Error> kind) {
        try {
            return kind.getDeclaredConstructor().newInstance();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void tellsWhenTheChangeSetSteersTheTestsThatRan() throws InterruptedException {
        sandbox.exits("npm test", 0, "1 passed in 1s");
        ChangeSet changes = Samples.changed("package.json", "node_modules/.bin/jest", "src/a.js");
        CheckResult result =
                run(Samples.context(root, changes, Samples.policy()), "check: testsPass")
                        .getFirst();
        assertThat(result.findings())
                .extracting(Finding::code)
                .containsExactly("harness-changed", "runner-in-change-set");
    }

    @Test
    void keepsSecretsAndControlCharactersOutOfResults() throws InterruptedException {
        String secret = "gh" + "p_" + "a1B2".repeat(9);
        sandbox.exits("node a.js " + secret, 1, "token " + secret + " \u0000\u001b[31mred");
        CheckResult result = run("check: run command=\"node a.js " + secret + "\"").getFirst();
        assertThat(result.toString()).doesNotContain(secret);
        assertThat(Objects.requireNonNull(result.stdout()).text())
                .startsWith("token ")
                .endsWith("red")
                .doesNotContain("\u0000", "\u001b");
    }

    @Test
    void passesTheInterruptOn() {
        sandbox.exits("node a.js", 0, "");
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> run("check: run command=\"node a.js\""))
                .isInstanceOf(InterruptedException.class);
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void measuresEachCheck() throws InterruptedException {
        sandbox.exits("npm run lint", 1, "");
        run("check: lintClean");
        assertThat(
                        meters.get("countersign.checks")
                                .tags("kind", "lintClean", "outcome", "failed")
                                .timer()
                                .count())
                .isOne();
    }

    @Test
    void runsWhereTheWorkspacesDirectoryIs() throws InterruptedException {
        Samples.write(root, "packages/a/x", "x");
        sandbox.exits("node a.js", 0, "");
        var context =
                new CheckContext(
                        new Workspace(root, "packages/a"),
                        Samples.UNKNOWN,
                        Samples.policy(),
                        null,
                        Instant.MAX);
        List<CheckResult> results =
                run(context, "check: fileExists path=x", "check: run command=\"node a.js\"");
        assertThat(results).allMatch(CheckResult::passed);
        assertThat(sandbox.runs().getFirst().command().directory()).isEqualTo("packages/a");
    }

    @Test
    void holdsTheServerLiableForItsSetupUnlessTheChangeSetSteersIt() throws InterruptedException {
        sandbox.exits("npm ci", 1, "", "boom");
        assertThat(setup("npm ci", Samples.changed("src/a.js")).cause())
                .isEqualTo(Cause.INFRASTRUCTURE);
        assertThat(setup("npm ci", Samples.changed("package-lock.json")).cause())
                .isEqualTo(Cause.WORK);
        assertThat(setup("npm ci", Samples.changed("web/package.json")).cause())
                .isEqualTo(Cause.WORK);
        assertThat(setup("npm ci", Samples.UNKNOWN).cause()).isEqualTo(Cause.WORK);
        sandbox.exits("node prepare.js", 1, "");
        assertThat(setup("node prepare.js", Samples.changed("prepare.js")).cause())
                .isEqualTo(Cause.WORK);
        sandbox.isMissing("npm install");
        assertThat(setup("npm install", Samples.changed("package.json")).cause())
                .isEqualTo(Cause.INFRASTRUCTURE);
        sandbox.timesOut("npm i", Duration.ofSeconds(5), "");
        SetupResult timedOut = setup("npm i", Samples.changed("a"));
        assertThat(timedOut.outcome()).isEqualTo(CheckOutcome.TIMED_OUT);
        assertThat(timedOut.cause()).isEqualTo(Cause.INFRASTRUCTURE);
    }

    @Test
    void runsSetupWithinItsOwnTimeBox() throws InterruptedException {
        sandbox.exits("npm ci", 0, "done");
        SetupResult result = setup("npm ci", Samples.UNKNOWN);
        assertThat(result.passed()).isTrue();
        assertThat(result.reason()).isNull();
        assertThat(sandbox.runs().getFirst().limits().wall()).isEqualTo(Duration.ofSeconds(300));
        SetupResult refused = setup("curl x", Samples.UNKNOWN);
        assertThat(refused.outcome()).isEqualTo(CheckOutcome.REFUSED);
        assertThat(refused.cause()).isEqualTo(Cause.POLICY);
    }

    @ParameterizedTest
    @CsvSource({
        "out.txt, false",
        "src/a.js, false",
        "package.json, false",
        "package-lock.json, true",
        "web/yarn.lock, true"
    })
    void failsASetupThatChangesWhatWasFrozen(String path, boolean passes)
            throws InterruptedException {
        sandbox.exits("npm ci", 0, "");
        altered = List.of(path);
        SetupResult result = setup("npm ci", Samples.changed("src/a.js"));
        assertThat(result.passed()).isEqualTo(passes);
        if (passes) return;
        assertThat(result.cause()).isEqualTo(Cause.WORK);
        assertThat(result.reason())
                .isEqualTo("the setup step changed files of the workspace: " + path);
    }

    private SetupResult setup(String command, ChangeSet changes) throws InterruptedException {
        return checks.setup(
                command,
                Duration.ofSeconds(300),
                Samples.context(root, changes, Samples.policy()),
                () -> altered);
    }

    private List<CheckResult> run(String... dod) throws InterruptedException {
        return run(context(), dod);
    }

    private List<CheckResult> run(CheckContext context, String... dod) throws InterruptedException {
        announced.clear();
        return checks.run(parse(dod), context, announced::add);
    }

    private static List<Check> parse(String... dod) {
        String text = "[acceptance]\n" + String.join("\n", dod) + "\n[/acceptance]";
        @Nullable Dod parsed = DodParser.parse(text, Dod.Source.EXPLICIT).dod();
        return Objects.requireNonNull(parsed).checks();
    }

    private CheckContext context() {
        return Samples.context(root);
    }

    private CheckContext context(CheckPolicy policy, Instant closesAt) {
        return new CheckContext(new Workspace(root, ""), Samples.UNKNOWN, policy, null, closesAt);
    }

    private static CheckPolicy policy(Duration timeout, boolean failFast) {
        return new CheckPolicy(
                CommandPolicy.DEFAULT_ALLOWLIST,
                null,
                null,
                null,
                timeout,
                failFast,
                false,
                List.of());
    }
}
