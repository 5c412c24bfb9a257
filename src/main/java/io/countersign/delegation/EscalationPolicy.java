package io.countersign.delegation;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.util.HashSet;
import java.util.List;
import java.util.Map;

/**
 * The bounds of the escalation ladder.
 *
 * @param ladder tiers, lowest first, spelled exactly; the list gives the order, not the names
 * @param floorTier raises the tier to start at; one that is not on the ladder raises nothing
 * @param maxAttemptsPerTier retries at one tier before it is left; 0 escalates at once
 * @param maxTotalAttempts counted attempts in all
 * @param costMultiple ceiling of the cumulative cost, in first attempts' costs; null for none
 * @param tierCosts cost of an attempt that names none, by tier; others have a default
 */
public record EscalationPolicy(
        List<String> ladder,
        @Nullable String floorTier,
        int maxAttemptsPerTier,
        int maxTotalAttempts,
        @Nullable BigDecimal costMultiple,
        Map<String, BigDecimal> tierCosts) {
    private static final List<String> LADDER = List.of("fast", "medium", "heavy");
    private static final List<BigDecimal> COSTS =
            List.of(BigDecimal.ONE, BigDecimal.valueOf(5), BigDecimal.valueOf(20));
    private static final int PER_TIER = 1;
    private static final int TOTAL = 4;
    private static final BigDecimal MULTIPLE = BigDecimal.valueOf(4);

    /** The longest ladder and the most attempts: enough for anybody, and a bound for everybody. */
    static final int MOST = 1_000;

    public static final EscalationPolicy DEFAULT =
            new EscalationPolicy(LADDER, null, PER_TIER, TOTAL, MULTIPLE, Map.of());

    /**
     * A ceiling that is zero or negative becomes its default, never "no ceiling".
     *
     * @throws IllegalArgumentException for an empty ladder, a tier given twice, a negative cost
     */
    public EscalationPolicy {
        ladder = List.copyOf(ladder);
        tierCosts = Map.copyOf(tierCosts);
        if (ladder.isEmpty() || ladder.size() > MOST) {
            throw new IllegalArgumentException("ladder needs 1 to " + MOST + " tiers");
        }
        if (ladder.stream().anyMatch(String::isBlank)) {
            throw new IllegalArgumentException("ladder has a tier without a name");
        }
        if (new HashSet<>(ladder).size() < ladder.size()) {
            throw new IllegalArgumentException("ladder names a tier twice");
        }
        tierCosts.values().forEach(Costs::demand);
        maxAttemptsPerTier = maxAttemptsPerTier < 0 ? PER_TIER : Math.min(maxAttemptsPerTier, MOST);
        maxTotalAttempts = maxTotalAttempts <= 0 ? TOTAL : Math.min(maxTotalAttempts, MOST);
        if (costMultiple != null) {
            costMultiple = costMultiple.signum() <= 0 ? MULTIPLE : Costs.demand(costMultiple);
        }
    }

    /** Where a producer of the tier starts; an unknown one starts at the lowest. */
    int start(@Nullable String producerTier) {
        int producer = producerTier == null ? -1 : ladder.indexOf(producerTier);
        int floor = floorTier == null ? -1 : ladder.indexOf(floorTier);
        return Math.max(0, Math.max(producer, floor));
    }

    /** What an attempt at the tier costs when the caller names no cost. */
    BigDecimal costAt(int tier) {
        String name = ladder.get(tier);
        BigDecimal given = tierCosts.get(name);
        if (given != null) {
            return given;
        }
        int known = LADDER.indexOf(name);
        return COSTS.get(Math.min(known < 0 ? tier : known, COSTS.size() - 1));
    }
}
