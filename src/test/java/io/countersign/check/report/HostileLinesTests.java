package io.countersign.check.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;

/** Lines that a producer prints to hold the thread that reads them: each must cost next to none. */
class HostileLinesTests {
    private static final int BYTES = 4 << 20;

    /** A line that backtracks takes two to a hundred times as long. */
    private static final Duration MOST = Duration.ofSeconds(3);

    @ParameterizedTest(name = "{0}, {1} many times, {2}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    x|·>·|XED
                    x|·>·|X·PASSED
                    x|·>·|·PASSED
                    [x]|·|ests·x
                    [x]·|·a:·|ests·x
                    T|ests·are:·No·tests·matching·pattern·"|ests·x
                    ok\\tx|\\t|\\u2028y
                    ok|·|\\u2028y
                    ok·|1·|\\u2028y
                    ok·-|·|\\u2028y
                    ok·x|·|x
                    ok·x|·#·|skp
                    ok·x|·#·time=|\\u2028
                    TAP·version·13\\nok·x|·#|x
                    1..1|·|\\u2028
                    |=|x
                    =|·|x
                    =·|1·aa,·|x
                    |1·aa,·|x
                    1·|aa·|x
                    _·ERROR·collecting·|·_|x
                    _|_|x
                    ✔·|·(1|x
                    ✔·|·(|1ms)
                    ✔·x|·|x
                    ✔·|.js|·(1ms)
                    ✔·|.js|x·(1ms)
                    Tests··|1·a·¦·|x
                    Tests:·|1·a,·|x
                    Summary·[|]·|x
                    Summary·[|]|x
                    Summary·[]·1·test·run:·1·passed·(|)|x
                    DONE·|1·|x
                    [|·|x
                    |1|x
                    {"Action":"pass"|"Test":"|x
                    {"|"Action":"|x
                    >·Task·:|:t|x
                    >·Task·:|t|x
                    |a|:·x
                    |a:b:·|x
                    |a/|:·x
                    [|1|]·x
                    Ran·1·test·in·1s\\nOK·(|a=1,·|x
                    Ran·1·test·in·1s\\nOK·(|a·|x
                    Test·summary:·total:·|1|x
                    Passed!|·-|x·Failed:·1
                    Passed!·|·|x·Failed:·1
                    |·|x
                    |x|ED
                    """)
    void readsALineInTimeThatGrowsWithItsLength(@Nullable String start, String unit, String end) {
        String repeated = unescape(unit).repeat(950 / unescape(unit).length());
        String line = unescape(start) + repeated + unescape(end) + "\n";
        String output = line.repeat(BYTES / line.length());
        Duration took =
                cpu(
                        () ->
                                new RunOutput(List.of(new RunOutput.Stream(output, null)))
                                        .tally(() -> {}));
        assertThat(took).isLessThan(MOST);
    }

    private static Duration cpu(Runnable work) {
        var threads = ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadCpuTime();
        work.run();
        return Duration.ofNanos(threads.getCurrentThreadCpuTime() - before);
    }

    /** A {@code ·} stands for a space and a {@code ¦} for the column's own delimiter. */
    private static String unescape(@Nullable String text) {
        return text == null
                ? ""
                : text.replace("\\n", "\n")
                        .replace("\\t", "\t")
                        .replace("·", " ")
                        .replace("¦", "|")
                        .replace("\\u2028", "\u2028");
    }
}
