package io.countersign;

import static org.assertj.core.api.Assertions.assertThat;

import io.countersign.support.IntegrationTest;
import io.countersign.support.ServiceClient;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

@IntegrationTest
class ServiceIntegrationTests {
    @Autowired ServiceClient client;

    @Test
    void isAliveAndReady() {
        assertThat(client.anonymous().get("/actuator/health/liveness").status()).isEqualTo(200);
        assertThat(client.anonymous().get("/actuator/health/readiness").status()).isEqualTo(200);
    }
}
