package io.countersign.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.countersign.access.ProjectsIntegrationTests.Sections;
import io.countersign.kernel.PolicySection;
import io.countersign.kernel.ProblemException.FieldError;
import io.countersign.kernel.ProjectId;
import io.countersign.support.IntegrationTest;
import io.countersign.support.ServiceClient;
import io.countersign.support.ServiceClient.Answer;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

import tools.jackson.databind.JsonNode;

import java.util.List;
import java.util.UUID;

@IntegrationTest
@Import(Sections.class)
class ProjectsIntegrationTests {
    @Autowired ServiceClient client;
    @Autowired Projects projects;

    private ServiceClient admin;
    private final String name = "acme/p" + UUID.randomUUID();
    private final String path = "/v1/projects/" + name;

    /** Sections of names that no module has. */
    @TestConfiguration
    static class Sections {
        @Bean
        PolicySection colours() {
            return section("x-colours", List.of());
        }

        @Bean
        PolicySection hook() {
            return section("x-hook", List.of("/secret"));
        }

        private static PolicySection section(String name, List<String> writeOnly) {
            return new PolicySection() {
                @Override
                public String name() {
                    return name;
                }

                @Override
                public List<FieldError> validate(JsonNode section) {
                    return section.has("bad")
                            ? List.of(new FieldError("/bad", "is not good"))
                            : List.of();
                }

                @Override
                public List<String> writeOnly() {
                    return writeOnly;
                }
            };
        }
    }

    @BeforeEach
    void beAdministrator() {
        admin = client.as("dev-admin");
    }

    @Test
    void aProjectExistsWithoutBeingConfigured() {
        Answer answer = client.get(path);

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.text()).isEqualTo("{}");
        assertThat(projects.policy(new ProjectId(name))).isEqualTo(ProjectPolicy.NONE);
    }

    @Test
    void replacesTheWholeDocument() {
        Answer first =
                admin.put(path, "{\"x-colours\":{\"b\":1,\"a\":[null,2.50]},\"x-hook\":null}");
        assertThat(first.status()).as(first.text()).isEqualTo(200);
        assertThat(client.get(path).json()).isEqualTo(first.json());
        assertThat(client.get(path).header("ETag")).isEqualTo(first.header("ETag")).isPresent();

        admin.put(path, "{\"x-hook\":{\"url\":\"u\"}}");

        assertThat(client.get(path).text()).isEqualTo("{\"x-hook\":{\"url\":\"u\"}}");
        assertThat(client.get(path).header("ETag")).isNotEqualTo(first.header("ETag"));
    }

    @Test
    void namesEveryFault() {
        Answer unknown = admin.put(path, "{\"x-colors\":{}}");
        Answer bad = admin.put(path, "{\"x-colours\":{\"bad\":1},\"x-hook\":{\"bad\":1}}");

        assertThat(unknown.status()).isEqualTo(422);
        assertThat(unknown.at("/code").asString()).isEqualTo("unknown-field");
        assertThat(unknown.at("/errors/0/pointer").asString()).isEqualTo("/x-colors");
        assertThat(bad.status()).isEqualTo(422);
        assertThat(bad.at("/errors/0/pointer").asString()).isEqualTo("/x-colours/bad");
        assertThat(bad.at("/errors/1/pointer").asString()).isEqualTo("/x-hook/bad");
        assertThat(admin.put(path, "[]").status()).isEqualTo(422);
        assertThat(client.get(path).text()).isEqualTo("{}");
    }

    @Test
    void neverShowsAWriteOnlyMember() {
        String secret = "whsec_abc";
        Answer put = admin.put(path, "{\"x-hook\":{\"url\":\"u\",\"secret\":\"" + secret + "\"}}");

        assertThat(put.text()).doesNotContain(secret);
        assertThat(admin.get(path).text()).isEqualTo("{\"x-hook\":{\"url\":\"u\"}}");
        assertThat(stored("/x-hook/secret")).isEqualTo(secret);
        assertThat(client.as("dev-admin").get("/v1/audit?project=" + name).text())
                .doesNotContain(secret);
    }

    @Test
    void keepsAWriteOnlyMemberThatIsLeftOutAndRemovesOneThatIsNull() {
        admin.put(path, "{\"x-hook\":{\"url\":\"u\",\"secret\":\"s\"}}");

        admin.put(path, admin.get(path).text());
        assertThat(stored("/x-hook/secret")).isEqualTo("s");

        admin.put(path, "{\"x-hook\":{\"url\":\"u\",\"secret\":null}}");
        assertThat(stored("/x-hook/secret")).isEmpty();

        admin.put(path, "{\"x-hook\":{\"url\":\"u\",\"secret\":\"s\"}}");
        admin.put(path, "{}");
        assertThat(stored("/x-hook/secret")).isEmpty();
    }

    private String stored(String pointer) {
        return projects.policy(new ProjectId(name)).document().at(pointer).asString("");
    }

    @Test
    void takesAProjectWithoutOwnerToo() {
        String bare = "/v1/projects/p" + UUID.randomUUID();

        assertThat(admin.put(bare, "{\"x-colours\":{}}").status()).isEqualTo(200);
        assertThat(admin.get(bare).text()).isEqualTo("{\"x-colours\":{}}");
        assertThat(admin.get("/v1/projects/a/b/c").status()).isEqualTo(404);
        assertThat(admin.put("/v1/projects/_server", "{}").status()).isEqualTo(422);
        assertThat(admin.put("/v1/projects/a%20b", "{}").status()).isEqualTo(422);
    }

    @Test
    void aRequesterMayChangeTheBaselineAlone() {
        for (String key : List.of("dev-orchestrator", "dev-ci")) {
            Answer more = client.as(key).put(path, "{\"x-colours\":{},\"baseline\":null}");
            assertThat(more.status()).as(more.text()).isEqualTo(403);
            assertThat(client.as(key).put(path, "{\"x-colours\":{}}").status()).isEqualTo(403);
            assertThat(client.as(key).put(path, "{}").status()).isEqualTo(403);
        }
        assertThat(client.as("dev-producer").put(path, "{\"baseline\":null}").status())
                .isEqualTo(403);
    }

    @Test
    void anAgentMayNotChangeABaselineWhateverItsRoles() {
        String id = "agent-" + UUID.randomUUID();
        admin.put(
                "/v1/principals/" + id,
                "{\"kind\":\"agent\",\"roles\":[\"requester\"],\"projects\":[\"*\"]}");
        String key = admin.post("/v1/principals/" + id + "/keys").at("/secret").asString();

        Answer answer = client.as(key).put(path, "{\"baseline\":null}");

        assertThat(answer.status()).isEqualTo(403);
        assertThat(answer.at("/detail").asString()).contains("kind");
    }
}
