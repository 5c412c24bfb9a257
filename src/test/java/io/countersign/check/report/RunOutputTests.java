package io.countersign.check.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Random;

/** What real runners printed, and what may be counted of it. */
class RunOutputTests {
    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    vitest-mixed       | 1 | 1 | 2 | 1 test file failed |
                    vitest-pass        | 2 | 0 | 0 | |
                    vitest-skipped     | 0 | 0 | 1 | |
                    vitest-no-suite    | 0 | 0 | 0 | 1 test file failed |
                    vitest-unhandled   | 1 | 0 | 0 | 1 error outside of tests |
                    vitest-none        | 0 | 0 | 0 | | no test files found
                    vitest-tap         | 1 | 1 | 2 | |
                    jest-1             | 1 | 1 | 2 | 1 test suite failed |
                    jest-2             | 2 | 0 | 0 | |
                    jest-3             | 0 | 0 | 1 | |
                    jest-4             | 1 | 0 | 0 | 1 test suite failed |
                    jest-none          | 0 | 0 | 0 | | no tests found
                    mocha-1            | 1 | 1 | 2 | |
                    mocha-2            | 2 | 0 | 0 | |
                    mocha-3            | 0 | 0 | 1 | |
                    mocha-4            | 0 | 0 | 0 | |
                    mocha-6            | 0 | 1 | 0 | |
                    mocha-min          | 2 | 0 | 0 | |
                    mocha-tap          | 1 | 1 | 2 | |
                    node-tap-n1        | 5 | 1 | 2 | |
                    node-spec-n1       | 6 | 1 | 2 | |
                    node-tap-n2        | 2 | 0 | 0 | |
                    node-tap-n3        | 0 | 0 | 1 | |
                    node-tap-n4        | 0 | 0 | 0 | | /workspace/n4/m.test.js is a file without a test in it
                    node-spec-n4       | 0 | 0 | 0 | | /workspace/n4/m.test.js is a file without a test in it
                    node-tap-n5        | 1 | 1 | 0 | |
                    node-spec-n5       | 1 | 1 | 0 | |
                    node-tap-n6        | 1 | 0 | 0 | | /workspace/n6/test/helper.js is a file without a test in it
                    node-spec-n6       | 1 | 0 | 0 | | /workspace/n6/test/helper.js is a file without a test in it
                    node-tap-n7        | 0 | 0 | 0 | |
                    node-tap-n8        | 0 | 1 | 0 | |
                    node-spec-n8       | 0 | 1 | 0 | |
                    node-tap-empty     | 0 | 0 | 0 | | y is a suite without a test in it
                    node-spec-empty    | 0 | 0 | 0 | |
                    node-tap-suites    | 3 | 0 | 1 | | y is a suite without a test in it
                    node-spec-suites   | 4 | 0 | 0 | |
                    pytest-p1          | 1 | 2 | 2 | |
                    pytest-q-p1        | 1 | 2 | 2 | |
                    pytest-q-p2        | 1 | 0 | 0 | |
                    pytest-p3          | 0 | 0 | 2 | | 1 xfailed
                    pytest-p4          | 0 | 1 | 0 | collection error in p4/test_a.py |
                    pytest-p5          | 0 | 0 | 0 | |
                    pytest-qk          | 0 | 0 | 0 | | 1 deselected
                    pytest-exit        | 0 | 0 | 0 | pytest broke off before its summary |
                    pytest-collect     | 0 | 0 | 0 | | 1 test collected
                    pytest-bad         | 0 | 0 | 0 | | file or directory not found: nosuch
                    unittest-1         | 1 | 3 | 2 | |
                    unittest-2         | 1 | 0 | 1 | |
                    unittest-3         | 0 | 0 | 2 | |
                    unittest-4         | 0 | 0 | 0 | |
                    unittest-5         | 0 | 1 | 0 | collection error: test_a (unittest.loader._FailedTest.test_a) |
                    unittest-v         | 1 | 3 | 2 | |
                    bun-1              | 1 | 1 | 2 | |
                    bun-2              | 1 | 0 | 0 | |
                    bun-3              | 0 | 0 | 1 | |
                    bun-4              | 0 | 0 | 0 | |
                    bun-none           | 0 | 0 | 0 | | no tests found
                    cargo-pass         | 3 | 0 | 1 | |
                    cargo-filter       | 0 | 0 | 0 | | 2 filtered out
                    cargo-fail-nofast  | 3 | 1 | 1 | |
                    surefire-fail      | 5 | 2 | 1 | |
                    surefire-pass      | 5 | 0 | 1 | |
                    surefire-skip      | 0 | 0 | 0 | | tests are skipped
                    surefire-nomatch   | 0 | 0 | 0 | | no tests matching pattern "nope" were executed
                    surefire-none      | 0 | 0 | 0 | | no tests to run
                    """)
    void countsWhatARealRunPrinted(
            String file,
            int passed,
            int failed,
            int skipped,
            @Nullable String fault,
            @Nullable String idle)
            throws IOException {
        Tally tally = Objects.requireNonNull(read(fixture(file)));
        assertThat(List.of(tally.passed(), tally.failed(), tally.skipped()))
                .as("passed, failed, skipped")
                .containsExactly(passed, failed, skipped);
        assertThat(tally.counted()).isTrue();
        if (fault == null) assertThat(tally.faults()).isEmpty();
        else assertThat(tally.faults()).contains(fault);
        if (idle != null) assertThat(tally.idle()).contains(idle);
    }

    @ParameterizedTest
    @ValueSource(strings = {"cargo-compile-error"})
    void recognisesNothingInARunThatNeverReachedItsTests(String file) throws IOException {
        assertThat(read(fixture(file))).isNull();
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    ok  \\texample.com/a\\t0.003s\\nok  \\texample.com/b\\t0.1s\\tcoverage: 8.0% of statements | 2 | 0 | 0 | false
                    ok  \\texample.com/a\\t0.003s [no tests to run]                                         | 0 | 0 | 0 | true
                    ok  \\texample.com/a\\t(cached)                                                         | 0 | 0 | 0 | true
                    ?   \\texample.com/a\\t[no test files]                                                  | 0 | 0 | 0 | true
                    --- PASS: TestA (0.00s)\\n--- SKIP: TestB (0.00s)\\nPASS\\nok  \\tx/a\\t0.01s              | 1 | 0 | 1 | true
                    --- SKIP: TestB (0.00s)\\nPASS\\nok  \\tx/a\\t0.01s                                       | 0 | 0 | 1 | true
                    --- PASS: TestA (0.00s)\\n    --- PASS: TestA/one (0.00s)\\n    --- PASS: TestA/two (0.00s) | 2 | 0 | 0 | true
                    {"Action":"pass","Test":"TestA/one/x"}\\n{"Action":"pass","Test":"TestA/one"}\\n{"Action":"pass","Test":"TestA"} | 1 | 0 | 0 | true
                    --- FAIL: TestA (0.00s)\\nFAIL\\nFAIL\\tx/a\\t0.01s                                       | 0 | 1 | 0 | true
                    FAIL\\tx/a [build failed]                                                              | 0 | 0 | 0 | true
                    {"Time":"t","Action":"pass","Package":"x","Test":"TestA","Elapsed":0}\\n{"Action":"pass","Package":"x"} | 1 | 0 | 0 | true
                    3 tests completed, 1 failed, 1 skipped                                                 | 1 | 1 | 1 | true
                    > Task :app:test NO-SOURCE                                                             | 0 | 0 | 0 | true
                    > Task :test UP-TO-DATE                                                                | 0 | 0 | 0 | true
                    > Task :test\\nATest > adds() PASSED\\nATest > skips() SKIPPED\\n> Task :b:test\\nBTest > x PASSED | 2 | 0 | 1 | true
                    > Task :test FAILED\\nATest > adds() FAILED\\nATest > b() PASSED\\n2 tests completed, 1 failed  | 1 | 1 | 0 | true
                    Passed!  - Failed:     0, Passed:     5, Skipped:     1, Total:     6, Duration: 12 ms - a.dll (net8.0) | 5 | 0 | 1 | true
                    Passed!  - Failed:     0, Passed:     5, Skipped:     0, Total:     5, Duration: 12 ms - a.dll\\nFailed!  - Failed:     1, Passed:     2, Skipped:     0, Total:     3, Duration: 1 s - b.dll | 7 | 1 | 0 | true
                    Total tests: 4\\n     Passed: 3\\n     Failed: 1\\n Total time: 1.2 Seconds                | 3 | 1 | 0 | true
                    Test run summary: Passed! - bin/a.dll (net9.0)\\n  total: 5\\n  failed: 0\\n  succeeded: 4\\n  skipped: 1\\n  duration: 1s | 4 | 0 | 1 | true
                    Test summary: total: 5, failed: 1, succeeded: 4, skipped: 0, duration: 1.2s            | 4 | 1 | 0 | true
                    No test is available in /workspace/a.dll. Make sure that ...                           | 0 | 0 | 0 | true
                    # tests 3\\n# pass 2\\n# fail 1\\nretrying failed tests only\\n# tests 0\\n# pass 0\\n# fail 0 | 2 | 1 | 0 | true
                    TAP version 13\\n# a\\nok 1 is true\\nnot ok 2 is false\\n\\n1..2\\n# tests 2\\n# pass  1\\n# fail  1  | 1 | 1 | 0 | true
                    Tests:       1 failed, 3 passed, 4 total\\nTests:       5 passed, 5 total              | 8 | 1 | 0 | true
                    web:test: Tests:       3 passed, 3 total\\napi:test:  Tests  2 passed (2)              | 5 | 0 | 0 | true
                    packages/a test: Tests:       3 passed, 3 total                                        | 3 | 0 | 0 | true
                    [0]   2 passing (5ms)\\n[1]   1 passing (3ms)                                          | 3 | 0 | 0 | true
                    Summary [   0.004s] 3 tests run: 2 passed, 1 failed, 4 skipped                         | 2 | 1 | 4 | true
                    '  2 passed (3.1s)\\n  1 failed'                                                       | 2 | 1 | 0 | true
                    100% tests passed, 0 tests failed out of 7                                             | 7 | 0 | 0 | true
                    '[         3 tests successful      ]\\n[         1 tests failed          ]'            | 3 | 1 | 0 | true
                    DONE 5 tests, 1 skipped, 1 failure in 0.5s                                             | 4 | 1 | 1 | true
                    Ran 0 tests in 0.000s\\n\\nNO TESTS RAN                                                 | 0 | 0 | 0 | true
                    """)
    void countsWhatARunnerIsKnownToPrint(
            String output, int passed, int failed, int skipped, boolean counted) {
        Tally tally = Objects.requireNonNull(read(unescape(output)));
        assertThat(List.of(tally.passed(), tally.failed(), tally.skipped()))
                .containsExactly(passed, failed, skipped);
        assertThat(tally.counted()).isEqualTo(counted);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "TAP version 13\nok 1 - a\n",
                "TAP version 13\n1..3\nok 1 - a\nok 2 - b\n",
                "1..2\nok 1 - a\n",
                "TAP version 13\n1..1\nok 1 - a\nBail out! no disk\n",
                "TAP version 13\n    not ok 1 - hook\n      ---\n      a: 1\n      ...\n    1..1\n"
                        + "not ok 1 - group\n1..1\n",
                "============================= test session starts ============================\n"
                        + "collected 3 items\n\ntest_a.py .",
                "Ran 3 tests in 0.001s\n",
                " Test Files  1 failed | 2 passed (3)\n      Tests  4 passed (4)\n",
                "test result: FAILED. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out",
                "FAIL\texample.com/a\t0.01s\nok  \texample.com/b\t0.01s"
            })
    void seesAFailureBesideWhateverPassed(String output) {
        assertThat(read(output)).matches(Tally::failing);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ok",
                "all checks passed",
                "0 errors, 0 warnings",
                "1 failing test was removed earlier",
                "Compiled 3 files, 0 failed",
                "ok 1 - a",
                "fail 3",
                "1..5",
                "Tests are great",
                "Done in 1.2s",
                "[INFO] BUILD SUCCESS",
                "12 modules in 3.1s"
            })
    void recognisesNoSummaryInOtherText(String output) {
        assertThat(read(output)).isNull();
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    ok 1 - y\\n  ---\\n  type: 'suite'\\n  ...\\n1..1                         | 0 | false
                    ok 1 - y\\n  ---\\n  type: 'test'\\n  ...\\n1..1                          | 1 | false
                    ok 1 - y\\n  ---\\n  error: >-\\n    type: 'suite'\\n  ...\\n1..1          | 1 | false
                    ok 1 - a\\nok 2 - y\\n  ---\\n  type: 'suite'\\n  ...\\n1..2             | 1 | false
                    not ok 1 - y\\n  ---\\n  type: 'suite'\\n  ...\\n1..1                     | 0 | true
                    ok 1 - y\\n1..1\\n# tests 0\\n# pass 0                                   | 0 | false
                    ok 1 - y\\nok 2 - /w/a.test.js\\n1..2\\n# pass 1                         | 0 | false
                    ok 1 - y\\n1..1\\n# pass 0\\nTAP version 13\\nok 1 - a\\n1..1            | 1 | false
                    # Subtest: y\\n    1..0\\nok 1 - y\\n1..1                               | 0 | false
                    # Subtest: y\\n    ok 1 - a\\n    1..1\\nok 1 - y\\n1..1               | 1 | false
                    """)
    void countsNoSuiteOfATapStreamAsATest(String output, int passed, boolean failing) {
        Tally tally = Objects.requireNonNull(read("TAP version 13\n" + unescape(output) + "\n"));
        assertThat(tally.passed()).isEqualTo(passed);
        assertThat(tally.failing()).isEqualTo(failing);
    }

    @Test
    void doesNotTakeATodoThatFailsForAFailure() {
        Tally tally = Objects.requireNonNull(read("TAP version 13\nnot ok 1 - a # TODO\n1..1\n"));
        assertThat(tally.failing()).isFalse();
        assertThat(tally.run()).isZero();
    }

    @Test
    void doesNotBelieveDiagnosticsThatLookLikePoints() {
        String output =
                "TAP version 13\nnot ok 1 - a\n  ---\n  stack: |-\n    ok 1 - forged\n  ok 2 - too\n"
                        + "  ...\n1..1\n";
        assertThat(read(output)).isEqualTo(new Tally(0, 1, 0, true, List.of(), List.of()));
    }

    @Test
    void seesAFailureThatOnlyTheCountsOfATapStreamShow() {
        assertThat(read("TAP version 13\nok 1 - a\n1..1\n# tests 2\n# pass 1\n# fail 1\n"))
                .matches(Tally::failing);
    }

    @Test
    void addsWhatBothStreamsSay() {
        var output =
                new RunOutput(
                        List.of(
                                new RunOutput.Stream("2 passed in 0.01s\n", null),
                                new RunOutput.Stream("Ran 3 tests in 0.001s\n\nOK\n", null)));
        assertThat(output.tally(() -> {}))
                .isEqualTo(new Tally(5, 0, 0, true, List.of(), List.of()));
    }

    @Test
    void countsTestsOnceThatTwoReportersOfNodeTellOnBothStreams() throws IOException {
        var output =
                new RunOutput(
                        List.of(
                                new RunOutput.Stream(fixture("node-tap-n2"), null),
                                new RunOutput.Stream("ℹ tests 2\nℹ pass 2\nℹ fail 0\n", null)));
        assertThat(Objects.requireNonNull(output.tally(() -> {})).passed()).isEqualTo(2);
        var failing =
                new RunOutput(
                        List.of(
                                new RunOutput.Stream(fixture("node-tap-n2"), null),
                                new RunOutput.Stream("ℹ tests 2\nℹ pass 1\nℹ fail 1\n", null)));
        assertThat(failing.tally(() -> {})).matches(Tally::failing);
    }

    @Test
    void takesTheCountsOfATapStreamWhosePointsAreLostInAGap() {
        String tail = "ok 9000 - z\n1..9000\n# tests 9000\n# pass 8999\n# fail 0\n# skipped 1\n";
        var output =
                new RunOutput(
                        List.of(
                                new RunOutput.Stream(
                                        "TAP version 13\nok 1 - a\nok 2 - b\n", tail)));
        assertThat(output.tally(() -> {}))
                .isEqualTo(new Tally(8999, 0, 1, true, List.of(), List.of()));
    }

    @Test
    void knowsNoNumberWhenPointsAndCountsAreLost() {
        var output =
                new RunOutput(
                        List.of(new RunOutput.Stream("TAP version 13\nok 1 - a\n", "ok 9 - z\n")));
        assertThat(Objects.requireNonNull(output.tally(() -> {})).counted()).isFalse();
    }

    @Test
    void readsThroughColourAndOverwrittenLines() {
        assertThat(
                        read(
                                "\u001b[32m 121 pass\u001b[0m\n\u001b[31m 1 fail\u001b[0m\nRan 122 tests across 2 files."))
                .isEqualTo(new Tally(121, 1, 0, true, List.of(), List.of()));
        assertThat(read("running 1/2\rrunning 2/2\r\u001b[K2 passed in 0.01s\r\n"))
                .isEqualTo(new Tally(2, 0, 0, true, List.of(), List.of()));
    }

    @Test
    void doesNotOverflow() {
        String line = "999999999 passed in 0.01s\n";
        assertThat(Objects.requireNonNull(read(line.repeat(5))).passed())
                .isEqualTo(Integer.MAX_VALUE);
    }

    @Test
    void survivesAnyInputInShortTime() throws IOException {
        Random random = new Random(20261130);
        String[] pieces = {
            fixture("node-tap-n1"),
            fixture("pytest-p1"),
            fixture("surefire-fail"),
            fixture("vitest-tap"),
            "ok 1 - x # skip\n",
            "    ---\n",
            "1..3\n",
            "Tests:  ",
            "\u001b[",
            "\r",
            " passed in ",
            "999999999999999999999 passed in 1s\n",
            " | ".repeat(300) + "\n",
            "=".repeat(900) + "\n",
            "1 a ".repeat(200) + "\n",
            "(".repeat(500) + "\n"
        };
        for (int round = 0; round < 300; round++) {
            StringBuilder output = new StringBuilder();
            for (int i = 0; i < 40; i++) {
                String piece = pieces[random.nextInt(pieces.length)];
                int from = random.nextInt(piece.length());
                int to = from + random.nextInt(Math.min(600, piece.length() - from) + 1);
                output.append(piece, from, to);
                if (random.nextInt(4) == 0) output.append((char) random.nextInt(0x3000));
            }
            Tally tally = read(output.toString());
            if (tally != null) {
                assertThat(tally.passed()).isNotNegative();
                assertThat(tally.failed()).isNotNegative();
                assertThat(tally.skipped()).isNotNegative();
            }
        }
    }

    private static String unescape(String text) {
        return text.replace("\\n", "\n").replace("\\t", "\t");
    }

    private static @Nullable Tally read(String output) {
        return new RunOutput(List.of(new RunOutput.Stream(output, null))).tally(() -> {});
    }

    static String fixture(String name) throws IOException {
        try (InputStream in =
                RunOutputTests.class.getResourceAsStream("/reports/" + name + ".txt")) {
            return new String(
                    Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
