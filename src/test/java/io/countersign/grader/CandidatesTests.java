package io.countersign.grader;

import static org.assertj.core.api.Assertions.assertThat;

import io.countersign.grader.GradingRequest.Producer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

class CandidatesTests {
    private static final Map<String, Set<String>> MAKERS =
            Map.of(
                    "main", Set.of("main", "anthropic"),
                    "oai", Set.of("oai", "openai"),
                    "or", Set.of("or"));

    private static GraderPolicy policy(Independence independence, Tiers tiers) {
        return new GraderPolicy(
                null, 0, Duration.ofSeconds(1), independence, EvidenceRule.OPTIONAL, tiers);
    }

    private static Tiers heavy(String... models) {
        return new Tiers(
                List.of(), List.of(), List.of(models).stream().map(ModelChoice::of).toList());
    }

    @Test
    void saysThatNoGraderIsConfigured() {
        Candidates none =
                Candidates.choose(
                        policy(Independence.SESSION, Tiers.NONE),
                        new Producer("a", "fast", null),
                        Map.of());
        assertThat(none).isEqualTo(new Candidates.NotConfigured("no grader is configured"));
    }

    @Test
    void ignoresModelsOfProvidersThatAreNotSet() {
        Candidates none =
                Candidates.choose(
                        policy(Independence.SESSION, heavy("gone/m-1")),
                        new Producer("a", "fast", null),
                        MAKERS);
        assertThat(none)
                .isInstanceOfSatisfying(
                        Candidates.NotConfigured.class,
                        it ->
                                assertThat(it.reason())
                                        .startsWith("no grader is configured")
                                        .contains("fast"));
    }

    @Test
    void climbsToTheNextTierThatHasModelsAndNeverDown() {
        Tiers tiers =
                new Tiers(
                        List.of(ModelChoice.of("or/small-1")),
                        List.of(),
                        List.of(ModelChoice.of("or/big-1")));
        Candidates chosen =
                Candidates.choose(
                        policy(Independence.SESSION, tiers),
                        new Producer("a", "medium", null),
                        MAKERS);
        assertThat(chosen)
                .isEqualTo(new Candidates.Chosen(Tier.HEAVY, List.of(ModelChoice.of("or/big-1"))));
    }

    @ParameterizedTest
    @CsvSource({
        // independence, producer's model, grader's model, whether it may grade
        "SESSION,,main/claude-sonnet-5,true",
        "SESSION,anthropic/claude-sonnet-5,main/claude-sonnet-5,true",
        "MODEL,,main/claude-sonnet-5,false",
        "MODEL,' ',main/claude-sonnet-5,false",
        "MODEL,anthropic/claude-sonnet-5,main/claude-sonnet-5,false",
        "MODEL,claude-sonnet-5,main/claude-sonnet-5,false",
        "MODEL,anthropic/claude-sonnet-5-20260301,main/claude-sonnet-5,false",
        "MODEL,openrouter/anthropic/Claude-5-Sonnet,main/claude-sonnet-5,false",
        "MODEL,vertex/claude-sonnet-5@20260301,main/claude-sonnet-5,false",
        "MODEL,anthropic/claude-haiku-5,main/claude-sonnet-5,true",
        "MODEL,openai/gpt-5-mini,oai/gpt-5,true",
        "PROVIDER,anthropic/claude-haiku-5,main/claude-sonnet-5,false",
        "PROVIDER,main/claude-haiku-5,main/claude-sonnet-5,false",
        "PROVIDER,openrouter/claude-haiku-5,main/claude-sonnet-5,false",
        "PROVIDER,anthropic/claude-haiku-5,or/anthropic/some-new-model,false",
        "PROVIDER,claude-haiku-5,oai/gpt-5,false",
        "PROVIDER,anthropic/claude-haiku-5,oai/gpt-5,true",
        "PROVIDER,openai/gpt-5,main/claude-sonnet-5,true",
    })
    void standsAsFarFromTheProducerAsPolicyDemands(
            Independence independence, String producer, String grader, boolean independent) {
        Candidates candidates =
                Candidates.choose(
                        policy(independence, heavy(grader)),
                        new Producer("a", "heavy", producer),
                        MAKERS);
        if (independent) {
            assertThat(candidates).isInstanceOf(Candidates.Chosen.class);
        } else {
            assertThat(candidates)
                    .isInstanceOfSatisfying(
                            Candidates.NotIndependent.class,
                            it ->
                                    assertThat(it.reason())
                                            .startsWith(
                                                    "grader is not independent of the producer"));
        }
    }

    @Test
    void passesOverModelsThatAreNotIndependent() {
        Candidates chosen =
                Candidates.choose(
                        policy(Independence.MODEL, heavy("main/claude-sonnet-5", "oai/gpt-5")),
                        new Producer("a", "heavy", "anthropic/claude-sonnet-5"),
                        MAKERS);
        assertThat(chosen)
                .isEqualTo(new Candidates.Chosen(Tier.HEAVY, List.of(ModelChoice.of("oai/gpt-5"))));
    }
}
