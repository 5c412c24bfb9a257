package io.countersign.kernel;

import java.util.Locale;

/** What a principal may do (see {@code docs/trust.md}). */
public enum Role {
    REQUESTER,
    SUBMITTER,
    JUDGE,
    ATTESTOR,
    CONSUMER,
    READER,
    ADMIN;

    /** The role as it stands in JSON. */
    public String wire() {
        return name().toLowerCase(Locale.ROOT);
    }
}
