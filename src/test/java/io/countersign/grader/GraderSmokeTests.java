package io.countersign.grader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The live lane ({@code -Psmoke}): a real model, and proof that no other one answered for it. */
@Timeout(180)
class GraderSmokeTests {
    private static final String NOTICE =
            "NOTICE: neither ANTHROPIC_API_KEY nor OPENCODE_API_KEY is set: the live lane is skipped";

    @ParameterizedTest
    @CsvSource({
        "add(a; b) returns the sum of its two arguments,PASSED",
        "the file documents a function named multiply,FAILED",
    })
    void theAskedModelJudgesAndNoOther(String criterion, GradingOutcome expected)
            throws InterruptedException {
        Optional<LiveProvider> live = LiveProvider.of(System.getenv());
        if (live.isEmpty()) System.out.println(NOTICE);
        assumeTrue(live.isPresent(), NOTICE);
        LiveProvider provider = live.get();
        try (TestGrader grader = TestGrader.of(Map.of("live", provider.settings()))) {
            GraderPolicy policy = TestGrader.policy(Duration.ofSeconds(60), provider.model());

            Graded graded =
                    grader.grade(
                            TestGrader.request(
                                    policy,
                                    Duration.ofSeconds(150),
                                    List.of(criterion.replace(';', ',')),
                                    Map.of("src/add.js", "exports.add = (a, b) => a + b;\n"),
                                    List.of("src/add.js")));

            GradingRow row = graded.row();
            assertThat(row.outcome()).as(row.toString()).isEqualTo(expected);
            assertThat(row.provider()).isEqualTo("live");
            assertThat("live/" + row.modelAsked()).isEqualTo(provider.model());
            assertThat(ModelChoice.of(provider.model()).answeredBy(row.modelAnswered())).isTrue();
            assertThat(row.tokensIn()).isPositive();
        }
    }
}
