package io.countersign.grader;

import static org.assertj.core.api.Assertions.assertThat;

import io.countersign.kernel.ProblemException.FieldError;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;

import tools.jackson.databind.json.JsonMapper;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

class GraderSettingsTests {
    private static final String MAIN = "countersign.grader.providers.main.";

    @Configuration
    @EnableConfigurationProperties(GraderProperties.class)
    static class Bound {}

    private static void bound(Consumer<GraderProperties> test, String... properties) {
        new ApplicationContextRunner()
                .withUserConfiguration(Bound.class)
                .withPropertyValues(properties)
                .run(context -> test.accept(context.getBean(GraderProperties.class)));
    }

    private static void refused(String message, String... properties) {
        new ApplicationContextRunner()
                .withUserConfiguration(Bound.class)
                .withPropertyValues(properties)
                .run(
                        context ->
                                assertThat(context.getStartupFailure())
                                        .rootCause()
                                        .hasMessageContaining(message));
    }

    @Test
    void startsWithNothingConfigured() {
        bound(
                properties -> {
                    GraderPolicy policy = properties.toPolicy();
                    assertThat(policy.minTier()).isNull();
                    assertThat(policy.temperature()).isZero();
                    assertThat(policy.timeout()).isEqualTo(Duration.ofSeconds(60));
                    assertThat(policy.independence()).isEqualTo(Independence.SESSION);
                    assertThat(policy.evidence()).isEqualTo(EvidenceRule.OPTIONAL);
                    assertThat(policy.tiers()).isEqualTo(Tiers.NONE);
                    assertThat(properties.promptBudget().toBytes()).isEqualTo(204_800);
                });
    }

    @Test
    void readsTiersAsNamesAndAsEntriesWithPatterns() {
        bound(
                properties -> {
                    assertThat(properties.tiers().fast())
                            .containsExactly(
                                    ModelChoice.of("main/small-1"), ModelChoice.of("main/small-2"));
                    assertThat(properties.tiers().heavy())
                            .containsExactly(
                                    new ModelChoice("main/acme/big", List.of("acme/big.*")));
                    assertThat(properties.minTier()).isEqualTo(Tier.MEDIUM);
                },
                MAIN + "type=openai",
                MAIN + "base-url=http://127.0.0.1:1/v1",
                "countersign.grader.min-tier=medium",
                "countersign.grader.tiers.fast=main/small-1, main/small-2",
                "countersign.grader.tiers.heavy[0].model=main/acme/big",
                "countersign.grader.tiers.heavy[0].accepts[0]=acme/big.*");
    }

    @ParameterizedTest
    @CsvSource({
        "anthropic,,absent,false",
        "anthropic,,'',false",
        "anthropic,,' ',false",
        "anthropic,,k-1,true",
        "openai,,absent,false",
        "openai,http://127.0.0.1:1/v1,absent,true",
        "openai,http://127.0.0.1:1/v1,'',false",
        "openai,http://127.0.0.1:1/v1,k-1,true",
    })
    void countsAnEmptyVariableAsUnset(String type, String url, String key, boolean set) {
        bound(
                properties -> assertThat(properties.providers().get("main").isSet()).isEqualTo(set),
                MAIN + "type=" + type,
                url == null ? "x=y" : MAIN + "base-url=" + url,
                key.equals("absent") ? "x=y" : MAIN + "api-key=" + key);
    }

    @Test
    void neverPrintsAKey() {
        bound(
                properties -> assertThat(properties.toString()).doesNotContain("k-secret-1"),
                MAIN + "type=anthropic",
                MAIN + "api-key=k-secret-1");
    }

    @ParameterizedTest
    @CsvSource({
        "countersign.grader.policy=any,countersign.grader.policy must be at-least-producer-tier",
        "countersign.grader.temperature=-1,countersign.grader.temperature must be",
        "countersign.grader.temperature=NaN,countersign.grader.temperature must be",
        "countersign.grader.timeout=0s,countersign.grader.timeout must be",
        "countersign.grader.timeout=31m,countersign.grader.timeout must be",
        "countersign.grader.prompt-budget=1KB,countersign.grader.prompt-budget must be",
        "countersign.grader.tiers.fast=gone/m-1,countersign.grader.tiers.fast[0] names the provider gone",
        "countersign.grader.tiers.fast=nonsense,a model is written provider/model",
        "countersign.grader.providers.main.attempts=3,countersign.grader.providers.main.type must be",
    })
    void refusesToStartAndNamesTheKey(String property, String message) {
        refused(message, property);
    }

    @ParameterizedTest
    @CsvSource({
        "base-url=ftp://x,base-url must be",
        "base-url=/v1,base-url must be",
        "base-url=http://user:pass@x/v1,base-url must be",
        "attempts=0,attempts must be positive",
        "max-concurrent=0,max-concurrent must be positive",
        "max-response=0,max-response must be positive",
        "backoff=-1s,backoff must be positive",
    })
    void refusesABrokenProviderAndNamesTheKey(String property, String message) {
        refused(MAIN + message, MAIN + "type=openai", MAIN + property);
    }

    @Test
    void refusesAKeyThatNoHeaderCarriesWithoutRepeatingIt() {
        new ApplicationContextRunner()
                .withUserConfiguration(Bound.class)
                .withPropertyValues(MAIN + "type=anthropic", MAIN + "api-key=se\ncret-1")
                .run(
                        context ->
                                assertThat(context.getStartupFailure())
                                        .rootCause()
                                        .hasMessageContaining(MAIN + "api-key")
                                        .hasMessageNotContaining("cret-1"));
    }

    // The project's section.

    private static void policies(Consumer<GraderPolicies> test) {
        bound(
                properties -> test.accept(new GraderPolicies(properties)),
                MAIN + "type=openai",
                MAIN + "base-url=http://127.0.0.1:1/v1",
                "countersign.grader.tiers.heavy=main/big",
                "countersign.grader.min-tier=fast");
    }

    private static tools.jackson.databind.JsonNode json(String text) {
        return JsonMapper.shared().readTree(text.replace('\'', '"'));
    }

    @Test
    void overridesTheServersValuesByTheProjects() {
        policies(
                policies -> {
                    GraderPolicy policy =
                            policies.effective(
                                    json(
                                            "{'minTier':'medium','temperature':0.5,'timeoutMs':5000,"
                                                    + "'independence':'provider','evidence':'required',"
                                                    + "'tiers':{'fast':['main/a',{'model':'main/b',"
                                                    + "'accepts':['b.*']}]}}"),
                                    null);
                    assertThat(policy)
                            .isEqualTo(
                                    new GraderPolicy(
                                            Tier.MEDIUM,
                                            0.5,
                                            Duration.ofSeconds(5),
                                            Independence.PROVIDER,
                                            EvidenceRule.REQUIRED,
                                            new Tiers(
                                                    List.of(
                                                            ModelChoice.of("main/a"),
                                                            new ModelChoice(
                                                                    "main/b", List.of("b.*"))),
                                                    List.of(),
                                                    List.of())));
                    assertThat(policies.effective(json("{'minTier':null}"), null).minTier())
                            .isEqualTo(Tier.FAST);
                });
    }

    @ParameterizedTest
    @CsvSource({
        "{'minTeir':'fast'},/minTeir",
        "{'minTier':'huge'},/minTier",
        "{'minTier':1},/minTier",
        "{'policy':'none'},/policy",
        "{'temperature':3},/temperature",
        "{'temperature':'0'},/temperature",
        "{'timeoutMs':0},/timeoutMs",
        "{'timeoutMs':-5},/timeoutMs",
        "{'timeoutMs':1.5},/timeoutMs",
        "{'timeoutMs':9999999999},/timeoutMs",
        "{'independence':'none'},/independence",
        "{'evidence':true},/evidence",
        "{'tiers':['main/a']},/tiers",
        "{'tiers':{'huge':[]}},/tiers",
        "{'tiers':{'fast':'main/a'}},/tiers",
        "{'tiers':{'fast':['gone/a']}},/tiers",
        "{'tiers':{'fast':[{'model':'main/a';'accepts':['(']}]}},/tiers",
    })
    void reportsAFaultyMemberAndKeepsTheServersValue(String section, String pointer) {
        policies(
                policies -> {
                    var json = json(section.replace(';', ','));
                    assertThat(policies.validate(json))
                            .extracting(FieldError::pointer)
                            .containsExactly(pointer);
                    assertThat(policies.effective(json, null))
                            .isEqualTo(policies.effective(null, null));
                });
    }

    @Test
    void letsARequestLowerTheTimeoutOnly() {
        policies(
                policies -> {
                    assertThat(policies.effective(null, Duration.ofSeconds(5)).timeout())
                            .isEqualTo(Duration.ofSeconds(5));
                    assertThat(policies.effective(null, Duration.ofSeconds(500)).timeout())
                            .isEqualTo(Duration.ofSeconds(60));
                    assertThat(policies.effective(null, Duration.ZERO).timeout())
                            .isEqualTo(Duration.ofSeconds(60));
                });
    }

    @Test
    void survivesBeingFrozenAsJson() {
        policies(
                policies -> {
                    GraderPolicy policy =
                            policies.effective(
                                    json(
                                            "{'tiers':{'heavy':[{'model':'main/b','accepts':['b.*']}]}}"),
                                    null);
                    String frozen = JsonMapper.shared().writeValueAsString(policy);
                    assertThat(frozen)
                            .contains("\"timeout\":\"PT1M\"", "\"minTier\":\"fast\"")
                            .contains("\"independence\":\"session\"");
                    assertThat(JsonMapper.shared().readValue(frozen, GraderPolicy.class))
                            .isEqualTo(policy);
                });
    }
}
