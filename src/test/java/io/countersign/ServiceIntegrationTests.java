package io.countersign;

import static org.assertj.core.api.Assertions.assertThat;

import io.countersign.support.IntegrationTest;
import io.countersign.support.ServiceClient;
import io.countersign.support.ServiceClient.Answer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;

@IntegrationTest
class ServiceIntegrationTests {
    @Autowired ServiceClient client;

    @Test
    void isAliveAndReady() {
        assertThat(client.anonymous().get("/actuator/health/liveness").status()).isEqualTo(200);
        assertThat(client.anonymous().get("/actuator/health/readiness").status()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"verification", "review", "decision", "delegation", "receipt"})
    void anIdThatIsNoneSaysWhatThereIsNoneOf(String what) {
        Answer answer = client.as("dev-admin").get("/v1/" + what + "s/no-uuid");
        assertThat(answer.status()).isEqualTo(404);
        assertThat(answer.at("/detail").asString()).startsWith("there is no such " + what + ":");
    }
}
