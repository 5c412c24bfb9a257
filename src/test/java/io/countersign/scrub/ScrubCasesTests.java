package io.countersign.scrub;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.io.IOException;
import java.io.InputStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** The cases of {@code cases/scrub.json}. */
class ScrubCasesTests {
    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void hidesSecretsAndKeepsTheRest(String name, JsonNode scrubCase) {
        String scrubbed = Scrubber.scrub(input(scrubCase));

        for (JsonNode secret : scrubCase.path("mustNotContain")) {
            assertThat(scrubbed).doesNotContain(secret.asString());
        }
        for (JsonNode kept : scrubCase.path("mustContain")) {
            assertThat(scrubbed).contains(kept.asString());
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void isIdempotent(String name, JsonNode scrubCase) {
        String once = Scrubber.scrub(input(scrubCase));

        assertThat(Scrubber.scrub(once)).isEqualTo(once);
    }

    static Stream<Arguments> cases() throws IOException {
        try (InputStream in = ScrubCasesTests.class.getResourceAsStream("/cases/scrub.json")) {
            JsonNode cases = JsonMapper.shared().readTree(in);
            return StreamSupport.stream(cases.spliterator(), false)
                    .map(c -> Arguments.of(c.path("name").asString(), c));
        }
    }

    private static String input(JsonNode scrubCase) {
        if (scrubCase.has("input")) {
            return scrubCase.path("input").asString();
        }
        StringBuilder text = new StringBuilder();
        for (JsonNode part : scrubCase.path("inputParts")) {
            text.append(
                    part.isString()
                            ? part.asString()
                            : part.path("repeat").asString().repeat(part.path("times").asInt()));
        }
        return text.toString();
    }
}
