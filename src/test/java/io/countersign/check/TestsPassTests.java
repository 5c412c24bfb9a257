package io.countersign.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.countersign.artefact.ChangeSet;
import io.countersign.check.sandbox.Command;
import io.countersign.check.sandbox.Outcome;
import io.countersign.check.sandbox.ScriptedSandbox;
import io.countersign.dod.Check;
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

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Function;

/** "Tests really ran": what a test run must show before its exit code 0 is believed. */
class TestsPassTests {
    private static final String PASSING =
            "<testsuite><testcase name='a'/><testcase name='b'/></testsuite>";
    private static final String FAILING =
            "<testsuite><testcase name='a'/><testcase name='b'><failure/></testcase></testsuite>";

    @TempDir Path root;

    private ChangeSet changes = Samples.UNKNOWN;
    private boolean requireReport;

    @ParameterizedTest(name = "exit {0}, {1}: {2}")
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    0 | 3 passed in 1s                          | -
                    0 | 3 passed, 2 skipped in 1s               | -
                    0 | 3 passed, 0 failed in 1s                | -
                    1 | 1 failed, 3 passed in 1s                | command exited 1: make test
                    0 | 1 failed, 3 passed in 1s                | 1 of 4 tests failed, although the command exited 0: make test
                    0 | Tests: 3 passed, 3 total\\nTests: 1 failed, 1 total | 1 of 4 tests failed, although the command exited 0: make test
                    0 | 2 skipped in 1s                         | no tests ran (2 skipped): make test
                    0 | 1 xfailed in 1s                         | no tests ran (1 skipped, 1 xfailed): make test
                    5 | no tests ran in 1s                      | no tests ran, and the command exited 5: make test
                    5 | 3 deselected in 1s                      | no tests ran (3 deselected), and the command exited 5: make test
                    1 | 3 passed in 1s                          | command exited 1: make test
                    1 | whatever                                | command exited 1: make test
                    0 | No tests found, exiting with code 0     | no tests ran (no tests found): make test
                    2 | ___ ERROR collecting a.py ___\\n1 error in 1s | command exited 2: make test (collection error in a.py)
                    1 | Test Files  1 failed (1)\\nTests  no tests   | command exited 1: make test (1 test file failed)
                    0 | Test Files  1 failed (1)\\nTests  2 passed (2) | 1 test file failed, although the command exited 0: make test
                    0 | === test session starts ===\\ncollected 3 items | pytest broke off before its summary, although the command exited 0: make test
                    0 | TAP version 13\\nok 1 - a               | the TAP stream broke off before its plan, although the command exited 0: make test
                    """)
    void judgesWhatARunPrints(int code, String output, String reason) throws InterruptedException {
        CheckResult result = run("make test", code, output.replace("\\n", "\n"));
        assertThat(result.passed()).isEqualTo(reason.equals("-"));
        if (!result.passed()) {
            assertThat(result.reason()).isEqualTo(reason);
            assertThat(result.cause()).isEqualTo(Cause.WORK);
        }
    }

    @Test
    void countsWhatRan() throws InterruptedException {
        CheckResult result = run("make test", 1, "1 failed, 3 passed, 2 skipped in 1s");
        assertThat(result.tests()).isEqualTo(new TestCounts(4, 1, 2));
        assertThat(result.testsUnknown()).isFalse();
        assertThat(result.findings())
                .containsExactly(new Finding("tests-skipped", null, "2 skipped"));
    }

    @Test
    void namesTheTestFilesOfTheChangeSetBesideSkippedTests() throws InterruptedException {
        changes = Samples.changed("src/a.js", "test/a.test.js");
        CheckResult result = run("make test", 0, "1 passed, 2 skipped in 1s");
        assertThat(result.findings())
                .containsExactly(
                        new Finding(
                                "tests-skipped",
                                "test/a.test.js",
                                "2 skipped (test files in the change-set: test/a.test.js)"));
    }

    @Test
    void passesAnUnknownRunnerOnItsExitCodeAndSaysSo() throws InterruptedException {
        CheckResult result = run("node check.js", 0, "all good");
        assertThat(result.passed()).isTrue();
        assertThat(result.tests()).isNull();
        assertThat(result.testsUnknown()).isTrue();
        assertThat(result.findings()).extracting(Finding::code).containsExactly("tests-unknown");
    }

    @Test
    void failsAnUnknownRunnerWhereAReportIsRequired() throws InterruptedException {
        requireReport = true;
        assertThat(run("node check.js", 0, "all good").reason())
                .isEqualTo("nothing says how many tests ran: node check.js");
        assertThat(run("go test", 0, "ok  \tx/a\t0.1s").passed()).isFalse();
        assertThat(run("make test", 0, "3 passed in 1s").passed()).isTrue();
    }

    @Test
    void takesAGoPackageForAtLeastOneTest() throws InterruptedException {
        CheckResult result = run("go test", 0, "ok  \tx/a\t0.1s\nok  \tx/b\t0.1s");
        assertThat(result.passed()).isTrue();
        assertThat(result.tests()).isNull();
        assertThat(result.testsUnknown()).isTrue();
    }

    @ParameterizedTest(name = "min={0}, {1}: {2}")
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    3 | 3 passed in 1s            | true
                    4 | 3 passed in 1s            | false
                    4 | 3 passed, 5 skipped in 1s | false
                    2 | ok  \tx/a\t0.1s           | false
                    1 | ok  \tx/a\t0.1s           | true
                    1 | all good                  | false
                    """)
    void asksForAsManyTestsAsTheCheckSays(int min, String output, boolean passes)
            throws InterruptedException {
        var sandbox = new ScriptedSandbox().exits("make test", 0, output);
        CheckResult result = run(sandbox, new Check.TestsPass("make test", null, min, null, 1));
        assertThat(result.passed()).isEqualTo(passes);
        if (!passes && output.contains("3 passed")) {
            assertThat(result.reason()).isEqualTo("only 3 tests passed, and min is 4: make test");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\n \n", "\n> w@1.0.0 test\n> x\n\n"})
    void takesASilentRunForNone(String output) throws InterruptedException {
        assertThat(run("node check.js", 0, output).reason())
                .isEqualTo("no tests ran (the command printed nothing): node check.js");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    npm test                        | echo done                  | only `echo done`
                    npm test                        | exit 0                     | only `exit 0`
                    npm test                        | true && echo a             | only
                    npm run test                    | echo done                  | only
                    npm -s test                     | echo done                  | only
                    npm test                        | npm run unit               | no "unit" script
                    npm run unit --if-present       | x                          | no "unit" script
                    npm test                        | './check.sh || true'       | hides its exit code
                    npm test                        | ./check.sh ; exit 0        | hides its exit code
                    npm test                        | './check.sh | cat'         | hides its exit code
                    npm test                        | NODE_ENV=test jest         | jest printed no summary
                    npm test                        | tsc && node --test         | node --test printed no summary
                    npm test                        | ./node_modules/.bin/mocha  | mocha printed no summary
                    pytest -q                       | x                          | pytest printed no summary
                    python3 -m pytest               | x                          | pytest printed no summary
                    python3 -m unittest             | x                          | unittest printed no summary
                    cargo test                      | x                          | cargo test printed no summary
                    mvn -q compile                  | x                          | mvn printed no summary
                    npx vitest run                  | x                          | vitest printed no summary
                    """)
    void looksThroughTheScriptOfASilentOrChattyRun(String command, String script, String why)
            throws InterruptedException {
        Samples.write(root, "package.json", "{\"scripts\":{\"test\":\"" + script + "\"}}");
        CheckResult result = run(command, 0, "something was printed");
        assertThat(result.passed()).isFalse();
        assertThat(result.reason()).startsWith("no tests ran (").contains(why);
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    echo 5 tests passed                 | 5 tests passed        | false
                    echo '  3 passing (2ms)'            | ' 3 passing (2ms)'    | false
                    true && printf x                    | 3 passed in 1s        | false
                    cat results.txt                     | Tests: 3 passed, 3 total | false
                    echo $(./run)                       | 3 passed in 1s        | true
                    echo start && ./run                 | 3 passed in 1s        | true
                    './run || true'                     | 3 passed in 1s        | true
                    """)
    void believesNoSummaryOfAScriptThatCanRunNothing(String script, String output, boolean passes)
            throws InterruptedException {
        Samples.write(root, "package.json", "{\"scripts\":{\"test\":\"" + script + "\"}}");
        CheckResult result = run("npm test", 0, output);
        assertThat(result.passed()).isEqualTo(passes);
        if (!passes)
            assertThat(result.reason()).startsWith("no tests ran (the test script is only");
    }

    @ParameterizedTest
    @ValueSource(strings = {"pretest", "posttest"})
    void believesTheSummaryOfAHookBesideAnInertScript(String hook) throws InterruptedException {
        Samples.write(
                root,
                "package.json",
                "{\"scripts\":{\"" + hook + "\":\"./run\",\"test\":\"echo done\"}}");
        assertThat(run("npm test", 0, "3 passed in 1s").passed()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"r.xml, real.xml, r.xml", "out/r.xml, real, out", "out, real, out"})
    void followsNoSymlinkToAReport(String report, String target, String link)
            throws InterruptedException {
        Samples.write(root, target.endsWith(".xml") ? target : target + "/r.xml", PASSING);
        Function<Command, Outcome> links =
                command -> {
                    try {
                        Files.createSymbolicLink(root.resolve(link), Path.of(target));
                    } catch (IOException e) {
                        throw new java.io.UncheckedIOException(e);
                    }
                    return ScriptedSandbox.exited(command, 0, "something", "");
                };
        assertThat(run(links, report).reason()).contains("was not written");
    }

    @Test
    void countsTheTestsThatTwoReportsOfOneRunShareOnce() throws InterruptedException {
        Function<Command, Outcome> writesTwice =
                command -> {
                    Samples.write(root, "junit.xml", PASSING);
                    Samples.write(root, "test-results/junit.xml", PASSING);
                    Samples.write(root, "test-results/other.xml", PASSING.replace("'b'", "'c'"));
                    return ScriptedSandbox.exited(command, 0, "", "");
                };
        assertThat(run(writesTwice, null).tests()).isEqualTo(new TestCounts(4, 0, 0));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "node check.js",
                "./check.sh",
                "tsc && node check.js",
                "echo start && node check.js",
                "node check.js || exit 1",
                "node -e \\\"echo || true\\\""
            })
    void leavesOtherScriptsToTheirExitCode(String script) throws InterruptedException {
        Samples.write(root, "package.json", "{\"scripts\":{\"test\":\"" + script + "\"}}");
        assertThat(run("npm test", 0, "something was printed").passed()).isTrue();
    }

    @Test
    void pointsAtAChangedManifest() throws InterruptedException {
        Samples.write(root, "package.json", "{\"scripts\":{\"test\":\"echo done\"}}");
        changes = Samples.changed("package.json");
        assertThat(run("npm test", 0, "done").reason())
                .isEqualTo(
                        "no tests ran (the test script is only `echo done`; the change-set has"
                                + " package.json): npm test");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "target/surefire-reports/TEST-a.xml",
                "mod/target/failsafe-reports/TEST-a.xml",
                "build/test-results/test/TEST-a.xml",
                "junit.xml",
                "packages/a/test-results/junit.xml",
                "target/nextest/ci/junit.xml"
            })
    void readsTheReportThatTheRunWrites(String path) throws InterruptedException {
        CheckResult passing = run(writes(path, PASSING, 0), null);
        assertThat(passing.tests()).isEqualTo(new TestCounts(2, 0, 0));
        assertThat(passing.passed()).isTrue();
        CheckResult failing = run(writes(path, FAILING, 0), null);
        assertThat(failing.reason())
                .isEqualTo("1 of 2 tests failed, although the command exited 0: make test");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"node_modules/x/junit.xml", "src/data.xml", "target/surefire-reports/x.xml"})
    void readsNoReportFromUnusualPlaces(String path) throws InterruptedException {
        assertThat(run(writes(path, PASSING, 0), null).tests()).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"out/r.xml", "./out/r.xml", "out", "out/", "out/*.xml", "**/r.xml"})
    void readsTheReportThatTheCheckNames(String report) throws InterruptedException {
        assertThat(run(writes("out/r.xml", PASSING, 0), report).tests())
                .isEqualTo(new TestCounts(2, 0, 0));
    }

    @Test
    void ignoresAReportThatTheRunDidNotWrite() throws InterruptedException {
        Samples.write(root, "junit.xml", PASSING);
        CheckResult usual = run("node check.js", 0, "something");
        assertThat(usual.tests()).isNull();
        assertThat(usual.testsUnknown()).isTrue();
        var sandbox = new ScriptedSandbox().exits("node check.js", 0, "something");
        CheckResult named =
                run(sandbox, new Check.TestsPass("node check.js", "junit.xml", null, null, 1));
        assertThat(named.reason())
                .isEqualTo(
                        "no tests ran that are known of (the report junit.xml was not written):"
                                + " node check.js");
    }

    @Test
    void ignoresAnOldReportThatIsMovedIntoPlace() throws InterruptedException {
        Function<Command, Outcome> moves =
                command -> {
                    Path file = Samples.write(root, "junit.xml", PASSING);
                    try {
                        Files.setLastModifiedTime(file, FileTime.fromMillis(1_000_000_000_000L));
                    } catch (IOException e) {
                        throw new java.io.UncheckedIOException(e);
                    }
                    return ScriptedSandbox.exited(command, 0, "something", "");
                };
        var sandbox = new ScriptedSandbox().answers("make test", moves);
        assertThat(run(sandbox, new Check.TestsPass("make test", null, null, null, 1)).tests())
                .isNull();
    }

    @Test
    void readsAReportThatIsWrittenAgain() throws InterruptedException {
        Samples.write(root, "junit.xml", FAILING);
        assertThat(run(writes("junit.xml", PASSING, 0), null).passed()).isTrue();
    }

    @Test
    void addsTheReportsOfAllModules() throws InterruptedException {
        Function<Command, Outcome> writesTwo =
                command -> {
                    Samples.write(root, "a/target/surefire-reports/TEST-a.xml", PASSING);
                    Samples.write(root, "b/target/surefire-reports/TEST-b.xml", FAILING);
                    Samples.write(root, "b/target/surefire-reports/TEST-other.xml", "<report/>");
                    return ScriptedSandbox.exited(command, 0, "", "");
                };
        var sandbox = new ScriptedSandbox().answers("make test", writesTwo);
        CheckResult result = run(sandbox, new Check.TestsPass("make test", null, null, null, 1));
        assertThat(result.tests()).isEqualTo(new TestCounts(4, 1, 0));
        assertThat(result.passed()).isFalse();
    }

    @Test
    void failsOnABrokenReport() throws InterruptedException {
        CheckResult result = run(writes("junit.xml", "<testsuite><testcase", 0), null);
        assertThat(result.reason())
                .isEqualTo(
                        "the test report junit.xml cannot be read: it is not well-formed XML:"
                                + " make test");
    }

    @Test
    void doesNotFollowAReportOutOfTheWorkspace(@TempDir Path elsewhere)
            throws InterruptedException, IOException {
        Path outside = Samples.write(elsewhere, "r.xml", PASSING);
        Function<Command, Outcome> links =
                command -> {
                    try {
                        Files.createSymbolicLink(root.resolve("junit.xml"), outside);
                    } catch (IOException e) {
                        throw new java.io.UncheckedIOException(e);
                    }
                    return ScriptedSandbox.exited(command, 0, "something", "");
                };
        var sandbox = new ScriptedSandbox().answers("make test", links);
        assertThat(run(sandbox, new Check.TestsPass("make test", null, null, null, 1)).tests())
                .isNull();
        Files.delete(root.resolve("junit.xml"));
        CheckResult named =
                run(sandbox, new Check.TestsPass("make test", "junit.xml", null, null, 1));
        assertThat(named.passed()).isFalse();
        assertThat(named.reason()).contains("leads outside the workspace");
        Files.delete(root.resolve("junit.xml"));
    }

    @Test
    void refusesAReportPathThatLeadsOutside() throws InterruptedException {
        var sandbox = new ScriptedSandbox();
        CheckResult result =
                run(sandbox, new Check.TestsPass("make test", "/tmp/r.xml", null, null, 1));
        assertThat(result.cause()).isEqualTo(Cause.DOD);
        assertThat(sandbox.runs()).isEmpty();
    }

    @Test
    void seesAFailureThatOnlyTheSummaryShows() throws InterruptedException {
        Function<Command, Outcome> answer =
                command -> {
                    Samples.write(root, "junit.xml", PASSING);
                    return ScriptedSandbox.exited(command, 0, "1 failed, 3 passed in 1s", "");
                };
        var sandbox = new ScriptedSandbox().answers("make test", answer);
        CheckResult result = run(sandbox, new Check.TestsPass("make test", null, null, null, 1));
        assertThat(result.passed()).isFalse();
        assertThat(result.reason()).startsWith("1 of 4 tests failed by its summary");
    }

    @Test
    void namesTheFileOfSkippedTestsFromTheReport() throws InterruptedException {
        String report =
                "<testsuite><testcase name='a'/><testcase name='b' file='t/b.js'><skipped/>"
                        + "</testcase></testsuite>";
        assertThat(run(writes("junit.xml", report, 0), null).findings())
                .containsExactly(new Finding("tests-skipped", "t/b.js", "1 skipped"));
    }

    private CheckResult run(String command, int code, String output) throws InterruptedException {
        return run(
                new ScriptedSandbox().exits(command, code, output),
                new Check.TestsPass(command, null, null, null, 1));
    }

    private CheckResult run(Function<Command, Outcome> answer, @Nullable String report)
            throws InterruptedException {
        return run(
                new ScriptedSandbox().answers("make test", answer),
                new Check.TestsPass("make test", report, null, null, 1));
    }

    private Function<Command, Outcome> writes(String path, String report, int code) {
        return command -> {
            Samples.write(root, path, report);
            return ScriptedSandbox.exited(command, code, "something", "");
        };
    }

    private CheckResult run(ScriptedSandbox sandbox, Check check) throws InterruptedException {
        var checks =
                new Checks(sandbox, InstantSource.system(), new SimpleMeterRegistry(), Spans.NONE);
        return checks.run(
                        List.of(check),
                        Samples.context(root, changes, Samples.policy(requireReport)),
                        result -> {})
                .getFirst();
    }
}
