package io.countersign.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.nimbusds.jwt.JWTClaimsSet;

import io.countersign.access.TokenReader.Reading;
import io.countersign.kernel.Caller;
import io.countersign.kernel.PrincipalKind;
import io.countersign.kernel.ProblemException;
import io.countersign.kernel.Role;
import io.countersign.support.IntegrationTest;
import io.countersign.support.ServiceClient;
import io.countersign.support.ServiceClient.Answer;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

import java.net.URI;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Set;

@IntegrationTest(
        properties = {
            // 32 bytes in base64, as an operator would give them.
            "countersign.signing.kek=MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=",
            "countersign.test.server-mode=true",
            "countersign.access.bootstrap-key=" + ServerModeIntegrationTests.KEY
        })
class ServerModeIntegrationTests {
    static final String KEY = "cs_a-bootstrap-key-of-some-length-0123456789";

    private static final LoopbackIssuer ISSUER = new LoopbackIssuer();

    @DynamicPropertySource
    static void oidc(DynamicPropertyRegistry registry) {
        String at = "countersign.access.oidc[0].";
        registry.add(at + "name", () -> "gh");
        registry.add(at + "issuer", ISSUER::address);
        registry.add(at + "audience", () -> "countersign");
        registry.add(at + "github-actions", () -> "true");
        registry.add(at + "roles", () -> "reader,requester");
        registry.add(at + "claims[0].claim", () -> "repository");
        registry.add(at + "claims[0].values", () -> "acme/*");
        registry.add(at + "claims[1].claim", () -> "ref");
        registry.add(at + "claims[1].values", () -> "refs/heads/main");
    }

    @AfterAll
    static void stopIssuer() {
        ISSUER.close();
    }

    @Autowired ServiceClient client;
    @Autowired Principals principals;
    @Autowired KeyStore keys;
    @Autowired InstantSource clock;

    @Test
    void theBootstrapKeyClosesWhenAnAdministratorHasAKey() {
        ServiceClient bootstrap = client.as(KEY);
        BootstrapKey without =
                new BootstrapKey(new AccessProperties(null, null), false, keys, clock);
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
    void anAdministratorOfSomeProjectsLeavesTheBootstrapKeyOpen() {
        ServiceClient bootstrap = client.as(KEY);
        bootstrap.put(
                "/v1/principals/of-some",
                "{\"kind\":\"human\",\"roles\":[\"admin\"],\"projects\":[\"acme/shop\"]}");

        assertThat(bootstrap.post("/v1/principals/of-some/keys").status()).isEqualTo(201);

        assertThat(bootstrap.get("/v1/principals").status()).isEqualTo(200);
    }

    @ParameterizedTest
    @CsvSource({
        "ADMIN, *, true",
        "ADMIN, acme/shop, false",
        "READER, *, false",
    })
    void anOidcRuleForAdministratorsOfAllClosesTheBootstrapKey(
            Role role, String project, boolean closed) {
        OidcRule rule =
                new OidcRule(
                        "staff",
                        URI.create("https://issuer.example"),
                        URI.create("https://issuer.example/keys"),
                        "countersign",
                        null,
                        List.of(),
                        null,
                        null,
                        null,
                        Set.of(role),
                        Set.of(),
                        Set.of(project),
                        null);
        AccessProperties with = new AccessProperties(KEY, List.of(rule));
        AccessProperties without = new AccessProperties(null, List.of(rule));

        assertThat(new BootstrapKey(with, false, keys, clock).read(KEY))
                .isInstanceOf(closed ? Reading.Refused.class : Reading.Known.class);
        assertThat(catchThrowable(() -> start(without)) == null)
                .as("starts without a bootstrap key")
                .isEqualTo(closed);
    }

    private void start(AccessProperties properties) {
        new BootstrapKey(properties, false, keys, clock).afterSingletonsInstantiated();
    }

    @Test
    void runsOfOneWorkflowDoNotShareIdempotencyKeys() {
        List<String> opened = new ArrayList<>();
        for (String run : List.of("1", "2", "1")) {
            Answer answer =
                    client.as(ISSUER.es256(token("refs/heads/main", run)))
                            .with("Idempotency-Key", "the-same")
                            .post(
                                    "/v1/delegations",
                                    "{\"project\":\"acme/shop\",\"dispatch\":\"Fix the parser\"}");
            assertThat(answer.status()).as(answer.text()).isEqualTo(201);
            opened.add(answer.at("/id").asString());
        }

        assertThat(opened.get(1)).isNotEqualTo(opened.get(0));
        assertThat(opened.get(2)).isEqualTo(opened.get(0));
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
                .isThrownBy(() -> new AccessProperties("short", null))
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

    @Test
    void anOidcTokenReachesItsRepositorysProject() {
        ServiceClient ci = client.as(ISSUER.es256(token("refs/heads/main")));
        ServiceClient pull = client.as(ISSUER.es256(token("refs/pull/1/merge")));

        assertThat(ci.get("/v1/projects/acme/shop").status()).isEqualTo(200);
        assertThat(ci.get("/v1/projects/acme/bank").status()).isEqualTo(403);
        assertThat(ci.get("/v1/principals").status()).isEqualTo(403);
        assertThat(pull.get("/v1/projects/acme/shop").status()).isEqualTo(401);
        assertThat(pull.get("/v1/projects/acme/shop").at("/detail").asString())
                .contains("gh (ref)");
    }

    private static JWTClaimsSet token(String ref) {
        return token(ref, "1");
    }

    private static JWTClaimsSet token(String ref, String run) {
        return new JWTClaimsSet.Builder()
                .issuer(ISSUER.address())
                .audience("countersign")
                .expirationTime(Date.from(Instant.now().plusSeconds(300)))
                .claim("repository", "acme/shop")
                .claim("ref", ref)
                .claim("run_id", run)
                .build();
    }

    @Test
    void noPrincipalCanTakeTheNameOfAnOidcCaller() {
        PrincipalRequest request =
                new PrincipalRequest(
                        "gh:acme", PrincipalKind.CI, Set.of(), null, Set.of("*"), null, null);

        assertThatExceptionOfType(ProblemException.class)
                .isThrownBy(() -> principals.create(caller(), request.toPrincipal(null)))
                .satisfies(e -> assertThat(e.code().status()).isEqualTo(422));
    }

    private static Caller caller() {
        return new Caller(
                "root", PrincipalKind.HUMAN, Set.of(), Set.of(), Set.of("*"), null, null, null);
    }
}
