package io.countersign.verification;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.countersign.kernel.ProblemException;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Duration;

class WaitingTests {
    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            delimiter = '|',
            textBlock =
                    """
                    - | 0
                    wait=5 | 5
                    respond-async, wait=10 | 10
                    respond-async; wait = 10 | 10
                    wait=600 | 60
                    wait=-5 | 0
                    await=5 | 0
                    wait=99999999999999 | 0
                    """)
    void readsThePreferHeader(@Nullable String prefer, long seconds) {
        assertThat(Waiting.preferred(prefer)).isEqualTo(Duration.ofSeconds(seconds));
    }

    @Test
    void refusesANegativeParameter() {
        assertThat(Waiting.parameter(90)).isEqualTo(Duration.ofSeconds(60));
        assertThatThrownBy(() -> Waiting.parameter(-1)).isInstanceOf(ProblemException.class);
    }
}
