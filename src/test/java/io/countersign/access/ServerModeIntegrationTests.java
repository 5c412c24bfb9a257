package io.countersign.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.countersign.support.IntegrationTest;
import io.countersign.support.ServiceClient;
import io.countersign.support.ServiceClient.Answer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;

import java.time.InstantSource;
import java.util.List;

@IntegrationTest(
        properties = {
            "countersign.test.server-mode=true",
            "countersign.access.bootstrap-key=" + ServerModeIntegrationTests.KEY
        })
class ServerModeIntegrationTests {
    static final String KEY = "cs_a-bootstrap-key-of-some-length-0123456789";

    @Autowired ServiceClient client;
    @Autowired KeyStore keys;
    @Autowired InstantSource clock;

    @Test
    void theBootstrapKeyClosesWhenAnAdministratorHasAKey() {
        ServiceClient bootstrap = client.as(KEY);
        BootstrapKey without = new BootstrapKey(new AccessProperties(null), false, keys, clock);
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(without::afterSingletonsInstantiated)
                .withMessageContaining("countersign.access.bootstrap-key");

        Answer created =
                bootstrap.put(
                        "/v1/principals/root",
                        "{\"kind\":\"human\",\"roles\":[\"admin\"],\"projects\":[\"*\"]}");
        assertThat(created.status()).as(created.text()).isEqualTo(201);
        assertThat(bootstrap.get("/v1/principals").status())
                .as("an administrator without a key is none")
                .isEqualTo(200);

        Answer key = bootstrap.post("/v1/principals/root/keys");
        ServiceClient admin = client.as(key.at("/secret").asString());

        assertThat(bootstrap.get("/v1/principals").status()).isEqualTo(401);
        assertThat(bootstrap.get("/v1/principals").at("/detail").asString())
                .contains("administrator exists");
        assertThat(admin.get("/v1/principals").status()).isEqualTo(200);
        without.afterSingletonsInstantiated();

        admin.delete("/v1/principals/root/keys/" + key.at("/keyId").asString());
        assertThat(bootstrap.get("/v1/principals").status())
                .as("the way back when no administrator's key is left")
                .isEqualTo(200);
    }

    @Test
    void hasNoDevelopmentKeys() {
        for (String key : List.of("dev-producer", "dev-orchestrator", "dev-ci", "dev-admin")) {
            assertThat(client.as(key).get("/v1/projects/a").status()).as(key).isEqualTo(401);
        }
    }

    @Test
    void refusesABootstrapKeyThatCanBeGuessed() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new AccessProperties("short"))
                .withMessageContaining("countersign.access.bootstrap-key");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0.0.0.0", "::", "10.1.2.3", "no.such.host.invalid"})
    void developmentKeysNeedALoopbackAddress(String address) {
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> new DevelopmentKeys(address))
                .withMessageContaining("server.address");
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "::1", "localhost"})
    void developmentKeysAcceptALoopbackAddress(String address) {
        assertThat(new DevelopmentKeys(address).find("dev-admin")).isPresent();
    }
}
