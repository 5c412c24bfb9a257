package io.countersign.grader;

import static org.assertj.core.api.Assertions.assertThat;

import io.countersign.grader.provider.ProviderType;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.HashMap;
import java.util.Map;

class LiveProviderTests {
    @ParameterizedTest
    @CsvSource({
        "k-1,k-2,ANTHROPIC",
        "k-1,,ANTHROPIC",
        "k-1,'',ANTHROPIC",
        ",k-2,OPENAI",
        "'',k-2,OPENAI",
        "' ',k-2,OPENAI",
        ",,",
        "'','',",
    })
    void anthropicWinsAndAnEmptyVariableCountsAsUnset(
            String anthropic, String openCode, ProviderType expected) {
        Map<String, String> environment = new HashMap<>();
        if (anthropic != null) environment.put("ANTHROPIC_API_KEY", anthropic);
        if (openCode != null) environment.put("OPENCODE_API_KEY", openCode);

        assertThat(LiveProvider.of(environment).map(live -> live.settings().type()).orElse(null))
                .isEqualTo(expected);
    }
}
