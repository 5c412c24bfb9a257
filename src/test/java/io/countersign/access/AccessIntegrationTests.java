package io.countersign.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.countersign.kernel.ProjectId;
import io.countersign.kernel.Sha256;
import io.countersign.support.IntegrationTest;
import io.countersign.support.ServiceClient;
import io.countersign.support.ServiceClient.Answer;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.simple.JdbcClient;

import tools.jackson.databind.JsonNode;

import java.lang.reflect.RecordComponent;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

@IntegrationTest
class AccessIntegrationTests {
    @Autowired ServiceClient client;
    @Autowired JdbcClient jdbc;
    @Autowired Principals principals;

    private ServiceClient admin;
    private final String id = "p-" + UUID.randomUUID();

    @BeforeEach
    void beAdministrator() {
        admin = client.as("dev-admin");
    }

    private Answer create(String roles, String projects) {
        return admin.post(
                "/v1/principals",
                """
                {"id": "%s", "kind": "agent", "roles": %s, "projects": %s, "tier": "medium",
                 "model": "vendor/model-1"}
                """
                        .formatted(id, roles, projects));
    }

    private String newKey() {
        return admin.post("/v1/principals/" + id + "/keys").at("/secret").asString();
    }

    @Test
    void demandsACredential() {
        Answer none = client.anonymous().get("/v1/principals");
        Answer unknown = client.as("cs_" + "x".repeat(43)).get("/v1/principals");
        Answer made = client.as("dev-root").get("/v1/principals");

        for (Answer answer : List.of(none, unknown, made)) {
            assertThat(answer.status()).isEqualTo(401);
            assertThat(answer.header("WWW-Authenticate")).get().asString().startsWith("Bearer");
            assertThat(answer.at("/code").asString()).isEqualTo("unauthenticated");
        }
    }

    @Test
    void readsOneAuthorizationHeaderOfOneScheme() {
        ServiceClient nobody = client.anonymous();

        assertThat(
                        nobody.with("Authorization", "Basic ZGV2LWFkbWlu")
                                .get("/v1/principals")
                                .status())
                .isEqualTo(401);
        assertThat(nobody.with("Authorization", "bearer dev-admin").get("/v1/principals").status())
                .isEqualTo(200);
        assertThat(admin.with("Authorization", "Bearer dev-admin").get("/v1/principals").status())
                .isEqualTo(401);
        assertThat(nobody.get("/v1/principals?access_token=dev-admin").status()).isEqualTo(401);
    }

    @Test
    void saysWhichRoleIsNeeded() {
        Answer answer = client.as("dev-ci").get("/v1/principals");

        assertThat(answer.status()).isEqualTo(403);
        assertThat(answer.at("/detail").asString()).contains("admin", "dev-ci");
        assertThat(answer.at("/requiredRoles/0").asString()).isEqualTo("admin");
        assertThat(answer.header("WWW-Authenticate"))
                .get()
                .asString()
                .contains("insufficient_scope");
    }

    @Test
    void checksTheRoleBeforeTheBody() {
        Answer answer = client.as("dev-ci").post("/v1/principals", "{\"no\":");

        assertThat(answer.status()).isEqualTo(403);
    }

    @Test
    void createsAPrincipalOnce() {
        Answer first = create("[\"submitter\", \"reader\"]", "[\"acme/shop\"]");
        Answer second = create("[\"admin\"]", "[\"*\"]");

        assertThat(first.status()).as(first.text()).isEqualTo(201);
        assertThat(first.header("Location")).contains("/v1/principals/" + id);
        assertThat(first.at("/kind").asString()).isEqualTo("agent");
        assertThat(first.at("/tier").asString()).isEqualTo("medium");
        assertThat(second.status()).isEqualTo(409);
        assertThat(admin.get("/v1/principals/" + id).at("/roles").size()).isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"id\":\"a b\",\"kind\":\"ci\",\"roles\":[],\"projects\":[]} | /id",
                "{\"id\":\"countersign\",\"kind\":\"ci\",\"roles\":[],\"projects\":[]} | /id",
                "{\"id\":\"bootstrap\",\"kind\":\"ci\",\"roles\":[],\"projects\":[]} | /id",
                "{\"kind\":\"ci\",\"roles\":[],\"projects\":[]} | /id",
                "{\"id\":\"a\",\"kind\":\"robot\",\"roles\":[],\"projects\":[]} | /kind",
                "{\"id\":\"a\",\"kind\":\"CI\",\"roles\":[],\"projects\":[]} | /kind",
                "{\"id\":\"a\",\"roles\":[],\"projects\":[]} | /kind",
                "{\"id\":\"a\",\"kind\":\"ci\",\"roles\":[\"root\"],\"projects\":[]} | /roles/0",
                "{\"id\":\"a\",\"kind\":\"ci\",\"roles\":[],\"projects\":[\"a/b/c\"]} | /projects",
                "{\"id\":\"a\",\"kind\":\"ci\",\"roles\":[],\"projects\":[\"_server\"]} | /projects",
                "{\"id\":\"a\",\"kind\":\"ci\",\"roles\":[],\"projects\":[],\"tier\":\"big\"} | /tier",
                "{\"id\":\"a\",\"kind\":\"ci\",\"roles\":[],\"projects\":[],"
                        + "\"anchorKinds\":[\"self\"]} | /anchorKinds",
            })
    void refusesAPrincipalThatIsWrong(String body, String pointer) {
        Answer answer = admin.post("/v1/principals", body);

        assertThat(answer.status()).as(answer.text()).isEqualTo(422);
        assertThat(answer.at("/errors/0/pointer").asString()).isEqualTo(pointer);
    }

    @Test
    void putCreatesOrReplacesAndKeysStay() {
        String body = "{\"kind\":\"service\",\"roles\":[\"%s\"],\"projects\":[\"*\"]}";
        Answer created = admin.put("/v1/principals/" + id, body.formatted("reader"));
        String key = newKey();
        Answer replaced = admin.put("/v1/principals/" + id, body.formatted("admin"));

        assertThat(created.status()).isEqualTo(201);
        assertThat(replaced.status()).isEqualTo(200);
        assertThat(replaced.at("/createdAt")).isEqualTo(created.at("/createdAt"));
        assertThat(client.as(key).get("/v1/principals").status())
                .as("the new role counts at once")
                .isEqualTo(200);
        assertThat(
                        admin.put(
                                        "/v1/principals/" + id,
                                        "{\"id\":\"other\",\"kind\":\"ci\",\"roles\":[],\"projects\":[]}")
                                .status())
                .isEqualTo(422);
    }

    @Test
    void developmentPrincipalsCannotBeChanged() {
        String body = "{\"kind\":\"agent\",\"roles\":[\"admin\"],\"projects\":[\"*\"]}";

        assertThat(admin.put("/v1/principals/dev-producer", body).status()).isEqualTo(409);
        assertThat(principals.find("dev-producer")).isPresent();
        assertThat(
                        jdbc.sql("select count(*) from principal where id like 'dev-%'")
                                .query(Long.class)
                                .single())
                .as("they are never stored")
                .isZero();
    }

    @Test
    void aRepeatMakesNoSecondKeyAndShowsNoSecret() {
        create("[\"reader\"]", "[\"acme/shop\"]");
        ServiceClient keyed = admin.with("Idempotency-Key", id);

        Answer first = keyed.post("/v1/principals/" + id + "/keys");
        Answer repeat = keyed.post("/v1/principals/" + id + "/keys");

        assertThat(first.at("/secret").asString()).startsWith("cs_");
        assertThat(repeat.status()).isEqualTo(201);
        assertThat(repeat.header("Idempotency-Replayed")).contains("true");
        assertThat(repeat.at("/keyId")).isEqualTo(first.at("/keyId"));
        assertThat(repeat.at("/secret").isNull()).isTrue();
        assertThat(admin.get("/v1/principals/" + id).at("/keys").size()).isEqualTo(1);
        assertThat(
                        jdbc.sql("select count(*) from idempotency_key where body like :secret")
                                .param("secret", "%" + first.at("/secret").asString() + "%")
                                .query(Long.class)
                                .single())
                .isZero();
    }

    @Test
    void aKeyWorksUntilItIsRevoked() {
        create("[\"reader\"]", "[\"acme/shop\"]");
        Answer made = admin.post("/v1/principals/" + id + "/keys");
        String secret = made.at("/secret").asString();
        String keyId = made.at("/keyId").asString();

        assertThat(made.status()).isEqualTo(201);
        assertThat(secret).matches("cs_[A-Za-z0-9_-]{43}");
        assertThat(client.as(secret).get("/v1/projects/acme/shop").status()).isEqualTo(200);
        assertThat(admin.delete("/v1/principals/" + id + "/keys/" + keyId).status()).isEqualTo(204);
        assertThat(admin.delete("/v1/principals/" + id + "/keys/" + keyId).status()).isEqualTo(204);
        Answer after = client.as(secret).get("/v1/projects/acme/shop");
        assertThat(after.status()).isEqualTo(401);
        assertThat(after.at("/detail").asString()).contains("revoked");
        assertThat(admin.delete("/v1/principals/" + id + "/keys/" + UUID.randomUUID()).status())
                .isEqualTo(404);
    }

    @Test
    void aKeyWorksUntilItExpires() {
        create("[\"reader\"]", "[\"acme/shop\"]");
        String secret =
                admin.post(
                                "/v1/principals/" + id + "/keys",
                                "{\"expiresAt\":\"" + Instant.now().plusSeconds(2) + "\"}")
                        .at("/secret")
                        .asString();

        assertThat(client.as(secret).get("/v1/projects/acme/shop").status()).isEqualTo(200);
        await().until(() -> client.as(secret).get("/v1/projects/acme/shop").status() == 401);
        assertThat(
                        admin.post(
                                        "/v1/principals/" + id + "/keys",
                                        "{\"expiresAt\":\"2020-01-01T00:00:00Z\"}")
                                .status())
                .isEqualTo(422);
    }

    @Test
    void storesNoSecretAndNotesUseOnceAMinute() {
        create("[\"reader\"]", "[\"*\"]");
        String secret = newKey();
        client.as(secret).get("/v1/projects/acme/shop");
        Instant first = lastUsed(secret);
        client.as(secret).get("/v1/projects/acme/shop");

        assertThat(lastUsed(secret)).isEqualTo(first);
        jdbc.sql("update api_key set last_used_at = last_used_at - interval '61 seconds'").update();
        client.as(secret).get("/v1/projects/acme/shop");
        assertThat(lastUsed(secret)).isAfter(first);
        assertThat(admin.get("/v1/principals/" + id).text())
                .contains("lastUsedAt")
                .doesNotContain(secret, Sha256.of(secret).hex());
        for (String table : List.of("api_key", "audit_event", "idempotency_key")) {
            Long rows =
                    jdbc.sql(
                                    "select count(*) from "
                                            + table
                                            + " t where to_jsonb(t)::text like '%' || :s || '%'")
                            .param("s", secret)
                            .query(Long.class)
                            .single();
            assertThat(rows).as(table).isZero();
        }
    }

    private Instant lastUsed(String secret) {
        return jdbc.sql("select last_used_at from api_key where secret_sha256 = :s")
                .param("s", Sha256.of(secret).hex())
                .query(java.time.OffsetDateTime.class)
                .single()
                .toInstant();
    }

    @Test
    void listsPrincipalsInPages() {
        for (int i = 0; i < 5; i++) {
            admin.put(
                    "/v1/principals/" + id + "-" + i,
                    "{\"kind\":\"ci\",\"roles\":[],\"projects\":[]}");
        }

        Answer first = admin.get("/v1/principals?limit=2");
        Answer second = admin.get("/v1/principals?limit=2&cursor=" + first.at("/next").asString());

        assertThat(first.at("/items/0/id").asString()).isEqualTo(id + "-4");
        assertThat(first.at("/items/1/id").asString()).isEqualTo(id + "-3");
        assertThat(second.at("/items/0/id").asString()).isEqualTo(id + "-2");
        assertThat(admin.get("/v1/principals?cursor=AAAA").status()).isEqualTo(422);
        assertThat(admin.get("/v1/principals?limit=0").status()).isEqualTo(422);
        assertThat(admin.get("/v1/principals?limit=201").status()).isEqualTo(422);
    }

    @Test
    void refusesAForeignHost() {
        assertThat(HostFilter.isLoopback("localhost:8080")).isTrue();
        assertThat(HostFilter.isLoopback("127.0.0.1:1")).isTrue();
        assertThat(HostFilter.isLoopback("[::1]:8080")).isTrue();
        assertThat(HostFilter.isLoopback("dash.localhost")).isTrue();
        for (String foreign :
                List.of(
                        "evil.example",
                        "127.0.0.1.evil.example",
                        "localhost.evil.example",
                        "localhost@evil.example",
                        "10.0.0.1",
                        "")) {
            assertThat(HostFilter.isLoopback(foreign)).as(foreign).isFalse();
        }
        assertThat(HostFilter.isLoopback(null)).isFalse();
    }

    @Test
    void everyWriteIsInTheAudit() {
        create("[\"reader\"]", "[\"*\"]");
        admin.with("X-Request-Id", "req-" + id).post("/v1/principals/" + id + "/keys");

        List<String> actions =
                jdbc.sql("select action from audit_event where subject = :id order by id")
                        .param("id", id)
                        .query(String.class)
                        .list();
        assertThat(actions).containsExactly("principal.created", "key.created");
        assertThat(
                        jdbc.sql(
                                        "select request_id from audit_event where action = 'key.created' and subject = :id")
                                .param("id", id)
                                .query(String.class)
                                .single())
                .isEqualTo("req-" + id);
    }

    @Test
    void theAuditHasAllOfAPrincipal() {
        create("[\"reader\"]", "[\"*\"]");
        admin.put(
                "/v1/principals/" + id,
                "{\"kind\":\"ci\",\"roles\":[],\"projects\":[\"acme/shop\"]}");

        List<JsonNode> details =
                jdbc
                        .sql("select detail::text from audit_event where subject = :id order by id")
                        .param("id", id)
                        .query(String.class)
                        .list()
                        .stream()
                        .map(ServiceClient.JSON::readTree)
                        .toList();
        assertThat(details).hasSize(2);
        for (RecordComponent each : Principal.class.getRecordComponents()) {
            if (!each.getName().equals("id")) {
                assertThat(details).allMatch(detail -> detail.has(each.getName()), each.getName());
            }
        }
        assertThat(details.getFirst().at("/model").asString()).isEqualTo("vendor/model-1");
        assertThat(details.getLast().at("/model").isNull()).isTrue();
    }

    @Test
    void aKeyReachesItsProjectsOnly() {
        create("[\"reader\"]", "[\"acme/shop\"]");
        String key = newKey();

        assertThat(client.as(key).get("/v1/projects/acme/shop").status()).isEqualTo(200);
        assertThat(client.as(key).get("/v1/projects/acme/bank").status()).isEqualTo(403);
        assertThat(client.as(key).get("/v1/projects/acme").status()).isEqualTo(403);
        assertThat(principals.find(id).orElseThrow().caller().reaches(new ProjectId("acme/shop")))
                .isTrue();
    }

    @Test
    void anAdministratorOfSomeProjectsCannotMakeOneOfAll() {
        create("[\"admin\"]", "[\"acme/shop\"]");
        ServiceClient local = client.as(newKey());

        assertThat(local.get("/v1/projects/acme/shop").status()).isEqualTo(200);
        assertThat(local.get("/v1/principals").status()).isEqualTo(403);
        assertThat(local.post("/v1/principals/" + id + "/keys").status()).isEqualTo(403);
        assertThat(
                        local.put(
                                        "/v1/principals/" + id,
                                        "{\"kind\":\"agent\",\"roles\":[\"admin\"],\"projects\":[\"*\"]}")
                                .status())
                .isEqualTo(403);
        assertThat(local.get("/v1/audit").status()).isEqualTo(403);
        assertThat(local.get("/v1/audit?project=acme/bank").status()).isEqualTo(403);
        assertThat(local.get("/v1/audit?project=_server").status()).isEqualTo(403);
        assertThat(local.get("/v1/audit?project=acme/shop").status()).isEqualTo(200);
    }
}
