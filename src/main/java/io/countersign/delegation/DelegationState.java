package io.countersign.delegation;

import java.util.Locale;

/** Where a delegation stands; every state but {@code OPEN} is final. */
enum DelegationState {
    OPEN,
    ACCEPTED,
    UNMET,
    EXPIRED,
    ABANDONED;

    /** The state as it stands in JSON and SQL. */
    String wire() {
        return name().toLowerCase(Locale.ROOT);
    }
}
