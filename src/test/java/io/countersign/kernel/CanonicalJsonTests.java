package io.countersign.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;

import java.nio.charset.StandardCharsets;
import java.util.Random;

/** RFC 8785, with its vectors. */
class CanonicalJsonTests {
    private static final JsonMapper MAPPER = JsonMapper.shared();

    @Test
    void writesTheExampleOfTheRfc() {
        String input =
                """
                {
                  "numbers": [333333333.33333329, 4.50, 2e-3, 0.000000000000000000000000001],
                  "string": "\\u20ac$\\u000F\\u000aA'\\u0042\\u0022\\u005c\\\\\\"\\/",
                  "literals": [null, true, false]
                }
                """;

        assertThat(canonical(input))
                .isEqualTo(
                        "{\"literals\":[null,true,false],"
                                + "\"numbers\":[333333333.3333333,4.5,0.002,1e-27],"
                                + "\"string\":\"\u20ac$\\u000f\\nA'B\\\"\\\\\\\\\\\"/\"}");
    }

    @Test
    void sortsNamesByUtf16UnitsAsTheRfcDoes() {
        String input =
                """
                {"\\u20ac": "Euro Sign", "\\r": "Carriage Return", "\\ufb33": "Hebrew Letter Dalet",
                 "1": "One", "\\ud83d\\ude00": "Emoji", "\\u0080": "Control", "\\u00f6": "O Umlaut"}
                """;

        assertThat(canonical(input).replaceAll("[^A-Z]", "")).isEqualTo("CROCOUESEHLD");
    }

    @ParameterizedTest
    @CsvSource({
        "0000000000000000,0",
        "8000000000000000,0",
        "0000000000000001,5e-324",
        "8000000000000001,-5e-324",
        "7fefffffffffffff,1.7976931348623157e+308",
        "ffefffffffffffff,-1.7976931348623157e+308",
        "4340000000000000,9007199254740992",
        "c340000000000000,-9007199254740992",
        "4430000000000000,295147905179352830000",
        "44b52d02c7e14af5,9.999999999999997e+22",
        "44b52d02c7e14af6,1e+23",
        "44b52d02c7e14af7,1.0000000000000001e+23",
        "444b1ae4d6e2ef4e,999999999999999700000",
        "444b1ae4d6e2ef4f,999999999999999900000",
        "444b1ae4d6e2ef50,1e+21",
        "3eb0c6f7a0b5ed8c,9.999999999999997e-7",
        "3eb0c6f7a0b5ed8d,0.000001",
        "41b3de4355555553,333333333.3333332",
        "41b3de4355555554,333333333.33333325",
        "41b3de4355555555,333333333.3333333",
        "41b3de4355555556,333333333.3333334",
        "41b3de4355555557,333333333.33333343",
        "becbf647612f3696,-0.0000033333333333333333",
        "43143ff3c1cb0959,1424953923781206.2",
    })
    void formatsNumbersAsEcmaScriptDoes(String bits, String expected) {
        double value = Double.longBitsToDouble(Long.parseUnsignedLong(bits, 16));

        assertThat(EcmaNumber.format(value)).isEqualTo(expected);
    }

    @Test
    void everyFormattedNumberReadsBackAsItself() {
        Random random = new Random(8785);
        for (int i = 0; i < 100_000; i++) {
            double value = Double.longBitsToDouble(random.nextLong());
            if (Double.isFinite(value)) {
                assertThat(Double.parseDouble(EcmaNumber.format(value))).isEqualTo(value);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "9007199254740991,9007199254740991",
        "-9007199254740991,-9007199254740991",
        "1.0,1",
        "-0,0",
        "-0.0,0",
        "1E3,1000",
        "1e-7,1e-7",
        "0.1,0.1",
        "100e-2,1"
    })
    void oneNumberHasOneForm(String number, String expected) {
        assertThat(canonical(number)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "9007199254740992",
                "-9007199254740992",
                "1E30",
                "1e400",
                "123456789012345678901234567890",
                "\"\\ud800\"",
                "\"\\udc00x\"",
                "{\"\\ud800\": 1}"
            })
    void refusesWhatParsersReadDifferently(String value) {
        JsonNode node = MAPPER.readTree("{\"a\": [" + value + "]}");

        assertThatExceptionOfType(ProblemException.class)
                .isThrownBy(() -> CanonicalJson.bytes(node))
                .satisfies(e -> assertThat(e.code()).isEqualTo(ProblemCode.CANONICAL_JSON))
                .satisfies(e -> assertThat(e.errors().getFirst().pointer()).startsWith("/a/0"));
    }

    @Test
    void refusesNestingOverAHundred() {
        assertThat(canonical("[".repeat(100) + "1" + "]".repeat(100))).hasSize(201);
        JsonNode deep = MAPPER.readTree("[".repeat(101) + "]".repeat(101));

        assertThatExceptionOfType(ProblemException.class)
                .isThrownBy(() -> CanonicalJson.bytes(deep))
                .withMessageContaining("deeper than 100");
    }

    @Test
    void refusesNodesThatAreNoJson() {
        JsonNode binary = JsonNodeFactory.instance.binaryNode(new byte[] {1});

        assertThatExceptionOfType(ProblemException.class)
                .isThrownBy(() -> CanonicalJson.bytes(binary));
        assertThatExceptionOfType(ProblemException.class)
                .isThrownBy(
                        () -> CanonicalJson.bytes(JsonNodeFactory.instance.numberNode(Double.NaN)));
    }

    @Test
    void theDigestIsThatOfTheCanonicalBytes() {
        assertThat(CanonicalJson.sha256(MAPPER.readTree("{ \"b\" : 1, \"a\" : 2.0 }")))
                .isEqualTo(Sha256.of("{\"a\":2,\"b\":1}"));
    }

    private static String canonical(String json) {
        return new String(CanonicalJson.bytes(MAPPER.readTree(json)), StandardCharsets.UTF_8);
    }
}
