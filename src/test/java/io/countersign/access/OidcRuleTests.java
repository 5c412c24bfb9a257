package io.countersign.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.countersign.kernel.PrincipalKind;
import io.countersign.kernel.Role;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import java.net.URI;
import java.util.List;

class OidcRuleTests {
    private static final String AT = "countersign.access.oidc[0].";

    private final ApplicationContextRunner context =
            new ApplicationContextRunner()
                    .withUserConfiguration(Properties.class)
                    .withPropertyValues(
                            AT + "name=github",
                            AT + "issuer=https://token.actions.githubusercontent.com",
                            AT + "audience=countersign",
                            AT + "roles=consumer,attestor",
                            AT + "anchor-kinds=ci");

    @EnableConfigurationProperties(AccessProperties.class)
    static class Properties {}

    private static String[] claims(String... pairs) {
        String[] properties = new String[pairs.length];
        for (int i = 0; i < pairs.length; i += 2) {
            properties[i] = AT + "claims[" + i / 2 + "].claim=" + pairs[i];
            properties[i + 1] = AT + "claims[" + i / 2 + "].values=" + pairs[i + 1];
        }
        return properties;
    }

    @Test
    void gitHubActionsNeedsNoMoreThanItsConditions() {
        context.withPropertyValues(claims("repository", "acme/shop", "ref", "refs/heads/main"))
                .run(
                        started -> {
                            assertThat(started).hasNotFailed();
                            OidcRule rule =
                                    started.getBean(AccessProperties.class).rules().getFirst();
                            assertThat(rule.principalKind()).isEqualTo(PrincipalKind.CI);
                            assertThat(rule.nameClaim()).isEqualTo("repository");
                            assertThat(rule.anchorClaim()).isEqualTo("run_id");
                            assertThat(rule.projectClaim()).isEqualTo("repository");
                            assertThat(rule.roles())
                                    .containsExactlyInAnyOrder(Role.CONSUMER, Role.ATTESTOR);
                        });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "acme/shop | ref | refs/heads/main",
                "acme/* | ref | refs/heads/release/*",
                "acme/shop | ref | refs/tags/v*",
                "acme/shop | job_workflow_ref | acme/ci/.github/workflows/v.yml@refs/heads/main",
                "acme/shop | job_workflow_ref | acme/ci/.github/workflows/v.yml@refs/tags/v*",
                "acme/shop | job_workflow_ref | acme/ci/.github/workflows/v.yml@0123456789abcdef",
            })
    void acceptsWhatNoPullRequestCanHave(String repository, String claim, String value) {
        context.withPropertyValues(claims("repository", repository, claim, value))
                .run(started -> assertThat(started).hasNotFailed());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "acme/shop | event_name | push | ref or job_workflow_ref",
                "acme/shop | ref | refs/pull/1/merge | pull requests",
                "acme/shop | ref | refs/pull/* | pull requests",
                "acme/shop | ref | refs/* | pull requests",
                "acme/shop | ref | r* | pull requests",
                "acme/shop | job_workflow_ref | acme/ci/.github/workflows/* | job_workflow_ref",
                "acme/shop | job_workflow_ref | acme/ci/v.yml@* | * may only",
                "acme/shop | job_workflow_ref | acme/ci/v.yml@refs/* | job_workflow_ref",
                "acme/shop | job_workflow_ref | acme/ci/v.yml@refs/pull/1/merge | job_workflow_ref",
                "acme/shop | job_workflow_ref | acme/ci/v.yml | job_workflow_ref",
                "a* | ref | refs/heads/main | owner/name",
                "acme/shop | ref | * | * may only",
                "acme/shop | ref | refs/*/main | * may only",
            })
    void refusesToStartWithWhatAProducerCouldHave(
            String repository, String claim, String value, String message) {
        boolean anyRef = value.endsWith("@*");
        context.withPropertyValues(claims("repository", repository, claim, value))
                .run(
                        failed ->
                                assertThat(failed.getStartupFailure())
                                        .as(value)
                                        .isNotNull()
                                        .rootCause()
                                        .hasMessageContaining(
                                                anyRef ? "job_workflow_ref" : message));
    }

    @Test
    void refusesToStartWithoutARepository() {
        context.withPropertyValues(claims("ref", "refs/heads/main"))
                .run(
                        failed ->
                                assertThat(failed.getStartupFailure())
                                        .rootCause()
                                        .hasMessageContaining("countersign.access.oidc")
                                        .hasMessageContaining("'github'")
                                        .hasMessageContaining("repository"));
    }

    @Test
    void aServerOfOnesOwnIsGitHubToo() {
        for (String issuer :
                List.of(
                        "https://token.actions.githubusercontent.com/acme",
                        "https://token.actions.acme.ghe.com",
                        "https://git.example/_services/token")) {
            assertThat(GitHubActions.isIssuer(URI.create(issuer))).as(issuer).isTrue();
        }
        assertThat(GitHubActions.isIssuer(URI.create("https://login.example"))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "name=Git Hub",
                "issuer=http://token.actions.githubusercontent.com",
                "issuer=file:///etc/passwd",
                "jwks-uri=http://10.0.0.1/keys",
                "audience=",
                "roles=",
                "roles=root",
                "anchor-kinds=self",
                "projects=a/b/c",
            })
    void refusesToStartWithAFaultyRule(String property) {
        context.withPropertyValues(claims("repository", "acme/shop", "ref", "refs/heads/main"))
                .withPropertyValues(AT + property)
                .run(failed -> assertThat(failed).hasFailed());
    }

    @Test
    void anOtherIssuerNeedsProjects() {
        context.withPropertyValues(AT + "issuer=https://login.example")
                .run(
                        failed ->
                                assertThat(failed.getStartupFailure())
                                        .rootCause()
                                        .hasMessageContaining("projects"));
        context.withPropertyValues(AT + "issuer=https://login.example", AT + "projects=*")
                .run(started -> assertThat(started).hasNotFailed());
    }

    @Test
    void twoRulesHaveTwoNames() {
        String second = "countersign.access.oidc[1].";
        context.withPropertyValues(claims("repository", "acme/shop", "ref", "refs/heads/main"))
                .withPropertyValues(
                        second + "name=github",
                        second + "issuer=https://login.example",
                        second + "audience=a",
                        second + "roles=reader",
                        second + "projects=*")
                .run(
                        failed ->
                                assertThat(failed.getStartupFailure())
                                        .rootCause()
                                        .hasMessageContaining("same name"));
    }
}
