package io.countersign.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import io.countersign.support.IntegrationTest;
import io.countersign.support.ServiceClient;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;

import tools.jackson.databind.JsonNode;

import java.util.stream.Stream;

@IntegrationTest
class EvidenceControllerIntegrationTests {
    private static final String PATH = "/v1/runtime-evidence/validate";

    @Autowired ServiceClient client;

    static Stream<Arguments> documents() {
        return Documents.cases("evidence.json").stream()
                .map(c -> Arguments.argumentSet(c.get("name").asString(), c));
    }

    @ParameterizedTest
    @MethodSource("documents")
    void answersWhatADocumentIsWorth(JsonNode c) {
        ServiceClient.Answer answer = client.post(PATH, c.get("document").toString());
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        JsonNode expect = c.get("expect");
        for (String member : new String[] {"valid", "status", "eligible", "boundaries"}) {
            assertThat(answer.at("/" + member)).isEqualTo(expect.get(member));
        }
        assertThat(answer.at("/problems").isEmpty()).isEqualTo(expect.get("valid").booleanValue());
    }

    @ParameterizedTest
    @ValueSource(strings = {"null", "[]", "\"x\"", "{}"})
    void refusesWhatIsNoDocument(String body) {
        ServiceClient.Answer answer = client.post(PATH, body);
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        assertThat(answer.at("/valid").booleanValue()).isFalse();
        assertThat(answer.at("/problems/0/message").asString()).isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "{\"n\": NaN}", "{\"a\": 1, \"a\": 2}"})
    void unreadableJsonIsNoDocumentEither(String body) {
        assertThat(client.post(PATH, body).status()).isEqualTo(400);
    }

    @Test
    void isForEveryAuthenticatedCaller() {
        assertThat(client.as("dev-producer").post(PATH, "{}").status()).isEqualTo(200);
        assertThat(client.anonymous().post(PATH, "{}").status()).isEqualTo(401);
    }
}
