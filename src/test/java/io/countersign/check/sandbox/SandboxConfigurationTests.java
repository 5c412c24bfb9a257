package io.countersign.check.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.countersign.kernel.ServiceRoles;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Configuration;
import org.springframework.util.unit.DataSize;

import java.time.Duration;
import java.util.Map;

@ExtendWith(OutputCaptureExtension.class)
class SandboxConfigurationTests {
    private static final Sandbox ISOLATED = new ScriptedSandbox().isolation("bubblewrap");
    private static final String PLAIN_BACKEND = "countersign.sandbox.backend=process";
    private static final Sandbox PLAIN = new ScriptedSandbox().isolation("none");

    /** What a host would answer. */
    private record Answers(boolean bubblewrap, boolean process) implements SandboxProbe {
        @Override
        public Result bubblewrap(SandboxProperties properties) {
            return bubblewrap
                    ? new Works(ISOLATED, "bounds by control group")
                    : new Fails("no user namespaces");
        }

        @Override
        public Result process(SandboxProperties properties) {
            return process
                    ? new Works(PLAIN, "bounds by resource limits")
                    : new Fails("setpriv is missing");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "auto, false, true, bubblewrap",
        "auto, true, true, bubblewrap",
        "auto, false, false, none",
        "bubblewrap, false, true, bubblewrap",
        "bubblewrap, true, true, bubblewrap",
        "process, false, true, none",
    })
    void choosesTheStrongestThatWorks(
            String backend, boolean required, boolean bubblewrapWorks, String isolation) {
        Sandbox chosen = choose(backend, required, new Answers(bubblewrapWorks, true));
        assertThat(chosen.isolation()).isEqualTo(isolation);
    }

    @ParameterizedTest
    @CsvSource({
        "auto, true, countersign.sandbox.required, no user namespaces",
        "process, true, countersign.sandbox.required, isolates nothing",
        "bubblewrap, false, countersign.sandbox.backend, no user namespaces",
        "bubblewrap, true, countersign.sandbox.backend, no user namespaces",
    })
    void refusesToStartWithLessThanWasAskedForAndNamesTheProperty(
            String backend, boolean required, String property, String why) {
        assertThatThrownBy(() -> choose(backend, required, new Answers(false, true)))
                .isInstanceOfSatisfying(
                        InvalidConfigurationPropertyValueException.class,
                        refusal -> {
                            assertThat(refusal.getName()).isEqualTo(property);
                            assertThat(refusal.getReason()).contains(why);
                        });
    }

    @Test
    void refusesToStartWhereNotEvenAProcessCanRun() {
        assertThatThrownBy(() -> choose("auto", false, new Answers(false, false)))
                .hasMessageContaining("countersign.sandbox.backend");
    }

    @Test
    void warnsWhereNothingIsolates(CapturedOutput output) {
        choose("auto", false, new Answers(false, true));
        assertThat(output).contains("WARN", "no user namespaces", "plain processes");
    }

    @Test
    void requiresIsolationInServerModeAndNotInLocalMode() {
        context("countersign.sandbox.backend=process")
                .run(context -> assertThat(context).hasFailed());
        context("countersign.sandbox.backend=process", "countersign.local.active=true")
                .run(context -> assertThat(context).hasSingleBean(Sandbox.class));
        context("countersign.sandbox.backend=process", "countersign.sandbox.required=false")
                .run(context -> assertThat(context).hasSingleBean(Sandbox.class));
    }

    /** As the other parts of the service read the roles: as a list in either notation. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "countersign.roles=worker",
                "countersign.roles=api,WORKER",
                "countersign.roles[0]=api;countersign.roles[1]=worker",
                "countersign.roles[0]=worker"
            })
    void demandsIsolationOfEveryWorker(String roles) {
        context((roles + ";" + PLAIN_BACKEND).split(";"))
                .run(context -> assertThat(context).hasFailed());
    }

    @ParameterizedTest
    @ValueSource(strings = {"countersign.roles=api", "countersign.roles[0]=api"})
    void startsNothingOnAReplicaWithoutWorkers(String roles) {
        context(roles, PLAIN_BACKEND)
                .run(
                        context -> {
                            Outcome outcome =
                                    context.getBean(Sandbox.class)
                                            .run(null, Limits.of(Duration.ofSeconds(1)));
                            assertThat(outcome).isInstanceOf(Outcome.NotStarted.class);
                        });
    }

    @ParameterizedTest
    @CsvSource({
        "countersign.sandbox.uid, 0",
        "countersign.sandbox.bind-roots, relative/path",
        "countersign.sandbox.limits.memory, 1MB",
        "countersign.sandbox.limits.processes, 0",
        "countersign.sandbox.limits.file-size, 0",
        "countersign.sandbox.limits.kept-output, 10",
        "countersign.sandbox.limits.max-output, -1",
    })
    void namesThePropertyThatIsOutOfBounds(String key, String value) {
        assertThatThrownBy(() -> SandboxContract.properties(Map.of(key, value)))
                .rootCause()
                .hasMessageContaining(key);
    }

    @Test
    void takesTheBoundsOfTheContractByDefault() {
        Duration wall = Duration.ofSeconds(120);
        Limits limits = SandboxContract.properties(Map.of()).limits(wall);
        assertThat(limits).isEqualTo(Limits.of(wall));
        assertThat(limits.memory()).isEqualTo(DataSize.ofGigabytes(4));
        assertThat(limits.processes()).isEqualTo(512);
        assertThat(limits.fileSize()).isEqualTo(DataSize.ofGigabytes(1));
        assertThat(limits.keptOutput()).isEqualTo(DataSize.ofMegabytes(8));
        assertThat(limits.maxOutput()).isEqualTo(DataSize.ofGigabytes(1));
    }

    private static Sandbox choose(String backend, boolean required, SandboxProbe probe) {
        var properties = SandboxContract.properties(Map.of("countersign.sandbox.backend", backend));
        return SandboxConfiguration.choose(properties, required, probe);
    }

    private static ApplicationContextRunner context(String... properties) {
        return new ApplicationContextRunner()
                .withUserConfiguration(SandboxConfiguration.class, Properties.class)
                .withPropertyValues(properties);
    }

    @Configuration
    @EnableConfigurationProperties({SandboxProperties.class, ServiceRoles.class})
    static class Properties {}
}
