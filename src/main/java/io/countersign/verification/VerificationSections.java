package io.countersign.verification;

import io.countersign.check.sandbox.SandboxProperties;
import io.countersign.dod.Diagnostic;
import io.countersign.dod.Dod;
import io.countersign.dod.DodParser;
import io.countersign.dod.ParsedBlock;
import io.countersign.gate.Assurance;
import io.countersign.gate.Require;
import io.countersign.kernel.PolicySection;
import io.countersign.kernel.ProblemException;
import io.countersign.kernel.ProblemException.FieldError;

import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import tools.jackson.databind.JsonNode;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/** The members of a project's policy document that a verification reads. */
@Configuration(proxyBeanMethods = false)
class VerificationSections {
    private static final long HALF_HOUR = VerifyProperties.MAX_GATE_BUDGET.toMillis();

    @Bean
    PolicySection verifySection() {
        return new SectionRules("verify")
                .choice("require", Arrays.stream(Require.values()).map(Require::wire).toList())
                .flag("preferDeterministic")
                .flag("requireExplicitDoD")
                .millis("gateBudgetMs", HALF_HOUR)
                .millis("checkTimeoutMs", HALF_HOUR)
                .millis("delegateTimeoutMs", Duration.ofDays(1).toMillis());
    }

    @Bean
    PolicySection checksSection() {
        return new SectionRules("checks").flag("failFast").flag("requireReport");
    }

    @Bean
    PolicySection commandsSection() {
        return new SectionRules("commands")
                .texts("allowlist", VerificationSections::faultOfProgram);
    }

    private static @Nullable String faultOfProgram(String program) {
        String name = program.startsWith("./") ? program.substring(2) : program;
        return name.isBlank() || name.matches(".*[\\s/\\\\\\p{Cntrl}].*")
                ? "is no program: a bare name, or ./ and a name for a wrapper of the workspace"
                : null;
    }

    @Bean
    PolicySection defaultsSection() {
        return new SectionRules("defaults").text("test").text("build").text("lint");
    }

    @Bean
    PolicySection setupSection() {
        return new SectionRules("setup").text("command").millis("timeoutMs", HALF_HOUR);
    }

    @Bean
    PolicySection sandboxSection(SandboxProperties sandbox) {
        return new SectionRules("sandbox")
                .texts("readOnlyBinds", bind -> faultOfBind(bind, sandbox.bindRoots()));
    }

    private static @Nullable String faultOfBind(String bind, List<Path> roots) {
        try {
            Path path = Path.of(bind).normalize();
            boolean below = path.isAbsolute() && roots.stream().anyMatch(path::startsWith);
            return below ? null : "is not below one of countersign.sandbox.bind-roots";
        } catch (InvalidPathException e) {
            return "is no path";
        }
    }

    @Bean
    PolicySection receiptsSection() {
        return new SectionRules("receipts")
                .millis("windowMs", Duration.ofDays(7).toMillis())
                .choice(
                        "minAssurance",
                        Arrays.stream(Assurance.values()).map(Assurance::wire).toList());
    }

    @Bean
    PolicySection retentionSection() {
        return new SectionRules("retention").millis("outputMs", Duration.ofDays(3650).toMillis());
    }

    @Bean
    PolicySection callbackSection() {
        return new SectionRules("callback").secret("secret");
    }

    /** The baseline is one text: a block that can be verified, or null for none. */
    @Bean
    PolicySection baselineSection() {
        return new PolicySection() {
            @Override
            public String name() {
                return "baseline";
            }

            @Override
            public List<FieldError> validate(JsonNode section) {
                String fault = faultOfBaseline(section);
                return fault == null ? List.of() : List.of(new FieldError("", fault));
            }
        };
    }

    private static @Nullable String faultOfBaseline(JsonNode section) {
        if (section.isNull()) return null;
        if (!section.isString()) return "is the text of an [acceptance] block";
        try {
            ParsedBlock parsed = DodParser.parse(section.asString(), Dod.Source.EXPLICIT);
            Dod dod = parsed.dod();
            if (dod == null || dod.kind() == Dod.Kind.NONE) {
                return "has no complete [acceptance] block with a check or a criterion";
            }
            return parsed.diagnostics().stream()
                    .filter(d -> d.severity() == Diagnostic.Severity.ERROR)
                    .map(d -> d.message())
                    .findFirst()
                    .orElse(null);
        } catch (ProblemException e) {
            return e.detail();
        }
    }
}
