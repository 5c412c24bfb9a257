package io.countersign.check.sandbox;

import io.countersign.artefact.WorkspaceOwner;
import io.countersign.kernel.ServiceRoles;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

import java.util.OptionalInt;

/** Chooses the sandbox once, at start-up, and refuses to start with less than was asked for. */
@Configuration(proxyBeanMethods = false)
class SandboxConfiguration {
    private static final Logger log = LoggerFactory.getLogger(SandboxConfiguration.class);

    @Bean
    Sandbox sandbox(SandboxProperties properties, ServiceRoles roles, Environment environment) {
        if (!roles.worker()) {
            log.info("Sandbox: none, since countersign.roles has no worker");
            return new AbsentSandbox();
        }
        boolean local = environment.getProperty("countersign.local.active", Boolean.class, false);
        Boolean required = properties.required();
        return choose(properties, required == null ? !local : required, SandboxProbe.ofThisHost());
    }

    /** Files of fresh workspaces belong to whoever the commands run as. */
    @Bean
    WorkspaceOwner workspaceOwner(SandboxProperties properties) {
        Host host = Host.detect(properties);
        return () ->
                host.dropsPrivileges() ? OptionalInt.of(host.commandUid()) : OptionalInt.empty();
    }

    static Sandbox choose(SandboxProperties properties, boolean required, SandboxProbe probe) {
        if (properties.backend() == SandboxProperties.Backend.PROCESS) {
            if (required) throw refuse("process", "it isolates nothing");
            return process(properties, probe, "countersign.sandbox.backend is process");
        }
        return switch (probe.bubblewrap(properties)) {
            case SandboxProbe.Works(Sandbox sandbox, String how) -> {
                log.info("Sandbox: bubblewrap, {}", how);
                yield sandbox;
            }
            case SandboxProbe.Fails(String why) -> {
                if (properties.backend() == SandboxProperties.Backend.BUBBLEWRAP) {
                    throw new InvalidConfigurationPropertyValueException(
                            "countersign.sandbox.backend", "bubblewrap", why);
                }
                if (required) throw refuse("auto", why);
                yield process(properties, probe, why);
            }
        };
    }

    private static Sandbox process(SandboxProperties properties, SandboxProbe probe, String why) {
        return switch (probe.process(properties)) {
            case SandboxProbe.Works(Sandbox sandbox, String how) -> {
                log.warn(
                        "Sandbox: none ({}). Checks run as plain processes ({}) that see this"
                                + " host's files, processes and network. Run only code that you"
                                + " trust, or install bubblewrap.",
                        why,
                        how);
                yield sandbox;
            }
            case SandboxProbe.Fails(String problem) ->
                    throw new InvalidConfigurationPropertyValueException(
                            "countersign.sandbox.backend", "process", problem);
        };
    }

    private static InvalidConfigurationPropertyValueException refuse(String backend, String why) {
        return new InvalidConfigurationPropertyValueException(
                "countersign.sandbox.required",
                true,
                "checks must be isolated, and with countersign.sandbox.backend="
                        + backend
                        + " they would not be: "
                        + why
                        + ". Install bubblewrap 0.8 or newer and allow user namespaces, or set"
                        + " countersign.sandbox.required=false where all code is trusted.");
    }
}
