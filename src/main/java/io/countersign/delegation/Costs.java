package io.countersign.delegation;

import java.math.BigDecimal;

/** Costs are decimals: in binary, 0.3 + 0.5 + 0.1 would be over 0.3 x 3. */
final class Costs {
    private static final BigDecimal MAX = BigDecimal.valueOf(1_000_000_000_000L);
    private static final int MAX_SCALE = 12;

    private Costs() {}

    /**
     * @throws IllegalArgumentException for a negative cost, one over 10^12, or more than 12
     *     decimals
     */
    static BigDecimal demand(BigDecimal cost) {
        if (cost.signum() < 0) {
            throw new IllegalArgumentException("a cost must not be negative");
        }
        // The scale first: comparing 1e999999999 would write it out.
        if (cost.scale() > MAX_SCALE || cost.scale() < -MAX_SCALE || cost.compareTo(MAX) > 0) {
            throw new IllegalArgumentException("a cost is at most 10^12, with at most 12 decimals");
        }
        return cost;
    }
}
