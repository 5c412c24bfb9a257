package io.countersign.verification;

import io.countersign.access.Projects;
import io.countersign.check.CheckPolicy;
import io.countersign.check.CheckProperties;
import io.countersign.gate.Assurance;
import io.countersign.gate.Require;
import io.countersign.grader.GraderPolicies;
import io.countersign.kernel.ProjectId;

import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

import tools.jackson.databind.JsonNode;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/** Computes the policy of a verification: server, then project, then request. */
@Component
class Policies {
    private static final Duration SETUP_DEFAULT = Duration.ofMinutes(5);
    private static final Duration SETUP_MAX = Duration.ofMinutes(30);
    private static final Duration WINDOW_MAX = Duration.ofDays(7);
    private static final Duration KEEP_MAX = Duration.ofDays(3650);

    private final Projects projects;
    private final VerifyProperties verify;
    private final CheckProperties checks;
    private final ReceiptProperties receipts;
    private final RetentionProperties retention;
    private final GraderPolicies graders;

    Policies(
            Projects projects,
            VerifyProperties verify,
            CheckProperties checks,
            ReceiptProperties receipts,
            RetentionProperties retention,
            GraderPolicies graders) {
        this.projects = projects;
        this.verify = verify;
        this.checks = checks;
        this.receipts = receipts;
        this.retention = retention;
        this.graders = graders;
    }

    /** The policy as it is now; {@code limits} can only lower its ceilings. */
    EffectivePolicy freeze(ProjectId project, Submission.Limits limits) {
        JsonNode document = projects.policy(project).document();
        PolicyNode verifying = section(project, document, "verify");
        Duration budget =
                verifying.ceiling(
                        "gateBudgetMs", verify.gateBudget(), VerifyProperties.MAX_GATE_BUDGET);
        Duration checkTimeout =
                verifying.ceiling(
                        "checkTimeoutMs", verify.checkTimeout(), VerifyProperties.MAX_GATE_BUDGET);
        PolicyNode receipt = section(project, document, "receipts");
        return new EffectivePolicy(
                verifying.choice(
                        "require", named(Require.values(), Require::wire), verify.require()),
                verifying.flag("preferDeterministic", verify.preferDeterministic()),
                verifying.flag("requireExplicitDoD", verify.requireExplicitDod()),
                lower(budget, limits.gateBudgetMs()),
                checks(project, document, lower(checkTimeout, limits.checkTimeoutMs())),
                graders.effective(
                        document.get("grader"),
                        limits.graderTimeoutMs() == null
                                ? null
                                : Duration.ofMillis(limits.graderTimeoutMs())),
                setup(section(project, document, "setup")),
                baseline(document),
                new EffectivePolicy.Receipts(
                        receipt.ceiling("windowMs", receipts.window(), WINDOW_MAX),
                        receipt.choice(
                                "minAssurance",
                                named(Assurance.values(), Assurance::wire),
                                receipts.minAssurance())),
                section(project, document, "retention")
                        .ceiling("outputMs", retention.output(), KEEP_MAX));
    }

    Duration delegateTimeout(ProjectId project) {
        return section(project, projects.policy(project).document(), "verify")
                .ceiling("delegateTimeoutMs", verify.delegateTimeout(), Duration.ofDays(1));
    }

    private static PolicyNode section(ProjectId project, JsonNode document, String name) {
        return new PolicyNode(project.value(), name, document.path(name));
    }

    private CheckPolicy checks(ProjectId project, JsonNode document, Duration timeout) {
        PolicyNode commands = section(project, document, "commands");
        PolicyNode defaults = section(project, document, "defaults");
        PolicyNode checking = section(project, document, "checks");
        List<String> binds =
                section(project, document, "sandbox").texts("readOnlyBinds", List.of());
        return new CheckPolicy(
                commands.texts("allowlist", checks.commands().programs()),
                defaults.text("test", checks.defaults().test()),
                defaults.text("build", checks.defaults().build()),
                defaults.text("lint", checks.defaults().lint()),
                timeout,
                checking.flag("failFast", checks.failFast()),
                checking.flag("requireReport", checks.tests().requireReport()),
                binds.stream().map(Path::of).toList());
    }

    private static EffectivePolicy.@Nullable Setup setup(PolicyNode setup) {
        String command = setup.text("command", null);
        if (command == null) return null;
        return new EffectivePolicy.Setup(
                command, setup.ceiling("timeoutMs", SETUP_DEFAULT, SETUP_MAX));
    }

    private static @Nullable String baseline(JsonNode document) {
        JsonNode baseline = document.path("baseline");
        return baseline.isString() && !baseline.asString().isBlank() ? baseline.asString() : null;
    }

    private static Duration lower(Duration allowed, @Nullable Long askedMs) {
        if (askedMs == null || askedMs <= 0) return allowed;
        Duration asked = Duration.ofMillis(askedMs);
        return asked.compareTo(allowed) < 0 ? asked : allowed;
    }

    private static <T> Function<String, @Nullable T> named(T[] values, Function<T, String> wire) {
        return text ->
                Arrays.stream(values)
                        .filter(value -> wire.apply(value).equals(text))
                        .findFirst()
                        .orElse(null);
    }
}
