package io.countersign.grader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TierTests {
    @ParameterizedTest
    @CsvSource({
        "fast,,FAST",
        "fast,MEDIUM,MEDIUM",
        "fast,HEAVY,HEAVY",
        "medium,FAST,MEDIUM",
        "medium,,MEDIUM",
        "heavy,FAST,HEAVY",
        "Heavy,,HEAVY",
        ",,HEAVY",
        ",FAST,HEAVY",
        "galactic,FAST,HEAVY",
    })
    void neverGradesBelowTheProducer(String producer, Tier min, Tier expected) {
        assertThat(Tier.required(producer, min)).isEqualTo(expected);
    }

    @Test
    void climbsWhereATierHasNoModels() {
        assertThat(Tier.MEDIUM.andAbove()).containsExactly(Tier.MEDIUM, Tier.HEAVY);
    }

    @ParameterizedTest
    @CsvSource({
        "claude-opus-4,claude-opus-4,true",
        "claude-opus-4,claude-opus-4-20250514,true",
        "gpt-4o,gpt-4o-2024-08-06,true",
        "gemini-1.5-pro,gemini-1.5-pro-002,true",
        "claude-opus-4,claude-opus-4-1,false",
        "claude-opus-4,claude-opus-4-1-20250805,false",
        "gpt-5,gpt-5-mini,false",
        "gpt-5,GPT-5,false",
        "gpt-5,,false",
        "gpt.5,gptx5,false",
    })
    void acceptsTheAskedNameAndItsDatedIdsOnly(String asked, String answered, boolean accepted) {
        ModelChoice choice = ModelChoice.of("p/" + asked);
        assertThat(choice.answeredBy(answered == null ? "" : answered)).isEqualTo(accepted);
    }

    @Test
    void acceptsWhatItsPatternsSayAndNothingElse() {
        ModelChoice choice =
                new ModelChoice("or/acme/m-4.5", java.util.List.of("acme/m-4\\.5(-.*)?"));
        assertThat(choice.provider()).isEqualTo("or");
        assertThat(choice.name()).isEqualTo("acme/m-4.5");
        assertThat(choice.answeredBy("acme/m-4.5-20260101")).isTrue();
        assertThat(choice.answeredBy("acme/m-4x5")).isFalse();
        assertThat(choice.answeredBy("x acme/m-4.5")).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"m-1", "/m-1", "p/", "p/m 1"})
    void refusesAModelThatNamesNoProvider(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> ModelChoice.of(text));
    }
}
