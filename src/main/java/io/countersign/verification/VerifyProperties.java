package io.countersign.verification;

import io.countersign.gate.Require;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

import java.time.Duration;

/**
 * When and how long the gate verifies; a project's {@code verify} member overrides it.
 *
 * @param require when the gate is opened
 * @param preferDeterministic false: a mixed DoD also grades its criteria
 * @param requireExplicitDod true: nothing is inferred
 * @param gateBudget for checks and grading together, at most 30 min
 * @param checkTimeout of one check that names none
 * @param delegateTimeout how long a delegation may stay idle
 */
@ConfigurationProperties("countersign.verify")
public record VerifyProperties(
        @DefaultValue("when-dod-present") Require require,
        @DefaultValue("true") boolean preferDeterministic,
        @DefaultValue("false") boolean requireExplicitDod,
        @DefaultValue("90s") Duration gateBudget,
        @DefaultValue("120s") Duration checkTimeout,
        @DefaultValue("10m") Duration delegateTimeout) {
    /** The server's maximum: no project and no request gets more. */
    public static final Duration MAX_GATE_BUDGET = Duration.ofMinutes(30);

    public VerifyProperties {
        positive("gate-budget", gateBudget);
        positive("check-timeout", checkTimeout);
        positive("delegate-timeout", delegateTimeout);
        if (gateBudget.compareTo(MAX_GATE_BUDGET) > 0) {
            throw new IllegalArgumentException("countersign.verify.gate-budget is at most 30m");
        }
    }

    private static void positive(String key, Duration value) {
        if (!value.isPositive()) {
            throw new IllegalArgumentException("countersign.verify." + key + " must be positive");
        }
    }
}
