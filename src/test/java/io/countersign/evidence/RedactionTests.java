package io.countersign.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** No secret of a document survives its validation. */
class RedactionTests {
    /** Made up, and written in two parts so that no scanner takes it for a real one. */
    private static final String SECRET = "ghp_" + "a8Fk29dLq0ZxV7bN3mTcY5wR1sJ6hGuE4pXo";

    private static final int FLOOD = 500_000;

    private static JsonNode stored(JsonNode document) {
        JsonNode stored = Documents.valid(document).document();
        assertThat(Documents.valid(stored).document()).isEqualTo(stored);
        return stored;
    }

    private static JsonNode input(String json) {
        return stored(Documents.calls("bash", json)).at("/observations/0/input/value");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"curl -H 'Authorization: token SECRET'\"",
                "{\"command\": [\"curl\", \"-u\", \"x:SECRET\"]}",
                "{\"deep\": [[{\"a\": \"SECRET\"}]]}",
                "{\"SECRET\": 1}",
                "{\"env\": {\"GITHUB_TOKEN\": \"SECRET\"}}"
            })
    void aTokenIsRedactedWhereverItStands(String json) {
        JsonNode safe = input(json.replace("SECRET", SECRET));
        assertThat(safe.toString()).doesNotContain(SECRET).contains("[REDACTED]");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"password\": \"hunter2-horse\"}",
                "{\"db\": {\"password\": [\"hunter2-horse\"]}}",
                "{\"headers\": [{\"name\": \"X-Api-Key\", \"value\": \"hunter2-horse\"}]}",
                "[\"psql\", \"--password=hunter2-horse\"]"
            })
    void aNameThatSaysSecretRedactsWhatStandsBesideIt(String json) {
        assertThat(input(json).toString()).doesNotContain("hunter2");
    }

    @Test
    void anOptionRedactsTheWordAfterIt() {
        String word = "qR7" + "xW2mLp9Zt4Kd8Vb3Nc6";
        JsonNode safe = input("[\"psql\", \"--password\", \"%s\", \"shop\"]".formatted(word));
        assertThat(safe)
                .isEqualTo(
                        JsonMapper.shared()
                                .readTree("[\"psql\", \"--password\", \"[REDACTED]\", \"shop\"]"));
    }

    @Test
    void whatIsNoSecretStaysAsItWas() {
        String json =
                "{\"command\": \"npm test\", \"n\": [1, 2.5, true, null], \"file\": \"a.ts\"}";
        assertThat(input(json)).isEqualTo(JsonMapper.shared().readTree(json));
    }

    @Test
    void idsStayDistinctAndParentsStillFindThem() {
        ObjectNode document = Documents.calls("task", "{}", "task", "{}", "bash", "{}");
        for (int i = 0; i < 2; i++) {
            ((ObjectNode) document.at("/observations/" + i)).put("invocation_id", SECRET + i);
        }
        Documents.value(document.at("/observations/2"), "parent")
                .putObject("value")
                .put("kind", "invocation")
                .put("id", SECRET + 1);
        JsonNode stored = stored(document);
        assertThat(stored.toString()).doesNotContain(SECRET);
        assertThat(stored.at("/observations/0/invocation_id"))
                .isNotEqualTo(stored.at("/observations/1/invocation_id"));
        assertThat(stored.at("/observations/2/parent/value/id"))
                .isEqualTo(stored.at("/observations/1/invocation_id"));
    }

    @Test
    void reasonsAndCodesAreDynamicToo() {
        ObjectNode document = Documents.calls("bash", "{}");
        ((ObjectNode) document.at("/observations/0/error")).put("reason", SECRET);
        document.withObject("/coverage").withArray("unsupported").add(SECRET).add(SECRET + "x");
        assertThat(stored(document).toString()).doesNotContain(SECRET);
    }

    @Test
    void aValueIsMeasuredOnceItIsRedacted() {
        String secret = SECRET + "x".repeat(10);
        String large = "\"" + "y".repeat(Redaction.MAX_VALUE_BYTES - 2) + "\"";
        JsonNode document = Documents.calls("a", large, "b", "\"z" + large.substring(1));
        JsonNode stored = stored(document);
        assertThat(stored.at("/observations/0/input/state").asString()).isEqualTo("available");
        assertThat(stored.at("/observations/1/input"))
                .isEqualTo(
                        JsonMapper.shared()
                                .readTree(
                                        "{\"state\":\"redacted\",\"reason\":\"value_too_large\"}"));
        StringBuilder tokens = new StringBuilder("\"");
        while (tokens.length() <= Redaction.MAX_VALUE_BYTES) tokens.append(secret).append(' ');
        JsonNode shrunk = stored(Documents.calls("a", tokens.append('"').toString()));
        assertThat(shrunk.at("/observations/0/input/state").asString()).isEqualTo("available");
    }

    @Test
    void nothingOfADocumentIsLogged() {
        ValidatedEvidence evidence = Documents.valid(Documents.calls("bash", "\"npm test\""));
        assertThat(evidence.toString()).isEqualTo("ValidatedEvidence[complete, 1 calls]");
    }

    static Stream<String> floods() {
        return Stream.of(
                "\"%s\"".formatted("a b=".repeat(FLOOD / 4)),
                "\"%s\"".formatted("password=".repeat(FLOOD / 9)),
                "[%s1]".formatted("\"-p\",".repeat(FLOOD / 5)),
                "[%s1]".formatted(("\"" + SECRET + "\",").repeat(FLOOD / 43)),
                numbered("\"" + SECRET + "%07d\":1", 54),
                numbered("\"password%d\":\"%1$d\"", 30),
                "{\"password\":[%s1]}".formatted("\"x\",".repeat(FLOOD / 4)));
    }

    private static String numbered(String member, int length) {
        return IntStream.range(0, FLOOD / length)
                .mapToObj(member::formatted)
                .collect(Collectors.joining(",", "{", "}"));
    }

    @ParameterizedTest
    @MethodSource("floods")
    void redactionIsLinear(String json) {
        JsonNode document = Documents.calls("bash", json);
        long start = System.nanoTime();
        Documents.valid(document);
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(20));
    }
}
