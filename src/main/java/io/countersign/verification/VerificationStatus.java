package io.countersign.verification;

import java.util.Locale;

/** Where a verification stands. */
enum VerificationStatus {
    QUEUED,
    RUNNING,
    COMPLETED,
    CANCELLED;

    /** The status as it stands in JSON and SQL. */
    String wire() {
        return name().toLowerCase(Locale.ROOT);
    }
}
