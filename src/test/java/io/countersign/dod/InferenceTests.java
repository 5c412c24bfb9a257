package io.countersign.dod;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.countersign.kernel.ProblemException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rules of inference that the case file does not cover. */
class InferenceTests {
    private static final Hints ALL = new Hints("t", "b", "l", null);

    @ParameterizedTest
    @CsvSource({
        "préfix it, unknown",
        "fix\u0301 it, unknown",
        "fix9, unknown",
        "修复bug。, bugfix",
        "исправь bug, bugfix",
        "FIX IT, bugfix",
        "clean up, refactor",
        "clean-up, unknown"
    })
    void onlyWholeWordsCount(String dispatch, String category) {
        assertThat(Inference.infer(dispatch, ALL).category()).isEqualTo(category);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "\n\r\n", "\u00a0\u200b", "\u0000", "\ud800"})
    void anEmptyDispatchStillAsksForSomething(String dispatch) {
        assertThat(Inference.infer(dispatch, ALL).dod().criteria())
                .containsExactly("the delegated task is completed as described in the dispatch");
    }

    @Test
    void theCriterionIsFoldedThenCutThenTrimmed() {
        assertThat(criterion("a\t\u00a0 b")).isEqualTo("a b");
        assertThat(criterion("x".repeat(119) + " y")).isEqualTo("x".repeat(119));
        assertThat(criterion("a\u0000b")).isEqualTo("a b");
    }

    private static String criterion(String dispatch) {
        return Inference.infer(dispatch, Hints.NONE).dod().criteria().getFirst();
    }

    @Test
    void hintsAreValuesAndBoundAsSuch() {
        Hints large = new Hints("x".repeat(16_385), null, null, null);
        assertThatThrownBy(() -> Inference.infer("fix", large))
                .isInstanceOf(ProblemException.class)
                .hasMessageContaining("16 KiB");
        Hints nul = new Hints(null, "a\u0000", null, null);
        assertThatThrownBy(() -> Inference.infer("fix", nul))
                .isInstanceOf(ProblemException.class)
                .hasMessageContaining("/hints/buildCommand");
    }
}
