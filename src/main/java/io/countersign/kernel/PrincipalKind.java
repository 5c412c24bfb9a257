package io.countersign.kernel;

import java.util.Locale;

/** What sort of party a principal is. */
public enum PrincipalKind {
    AGENT,
    ORCHESTRATOR,
    CI,
    HUMAN,
    SERVICE;

    /** The kind as it stands in JSON. */
    public String wire() {
        return name().toLowerCase(Locale.ROOT);
    }
}
