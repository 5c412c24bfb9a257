package io.countersign.delegation;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;

/**
 * The escalation ladder's bounds where neither request nor project names them.
 *
 * @param ladder tiers, lowest first
 * @param floorTier raises the tier to start at; none by default
 * @param maxAttemptsPerTier retries at one tier; 0 escalates at once
 * @param maxTotalAttempts counted attempts in all
 * @param costMultiple ceiling of the cumulative cost, in first attempts' costs
 * @param tierCosts cost of an attempt that names none, by tier
 */
@ConfigurationProperties("countersign.escalate")
record EscalateProperties(
        @DefaultValue({"fast", "medium", "heavy"}) List<String> ladder,
        @Nullable String floorTier,
        @DefaultValue("1") int maxAttemptsPerTier,
        @DefaultValue("4") int maxTotalAttempts,
        @DefaultValue("4") BigDecimal costMultiple,
        @DefaultValue Map<String, BigDecimal> tierCosts) {
    EscalateProperties {
        if (maxTotalAttempts < 1) {
            throw new IllegalArgumentException(
                    "countersign.escalate.max-total-attempts is 1 or more");
        }
        if (maxAttemptsPerTier < 0) {
            throw new IllegalArgumentException(
                    "countersign.escalate.max-attempts-per-tier is 0 or more");
        }
        if (costMultiple.signum() <= 0) {
            throw new IllegalArgumentException("countersign.escalate.cost-multiple is positive");
        }
    }

    EscalationPolicy toPolicy() {
        return new EscalationPolicy(
                ladder, floorTier, maxAttemptsPerTier, maxTotalAttempts, costMultiple, tierCosts);
    }
}
