package io.countersign.kernel;

import java.util.Locale;

/**
 * Why a verdict does not pass, in the order in which the first that applies is named. Hooks use it
 * to stop an agent from looping on a fault that it cannot mend.
 */
public enum Cause {
    /** Somebody cancelled the verification. */
    CANCELLED,
    /** There is no Definition of Done, or it is malformed. */
    DOD,
    /** A policy refused a command. */
    POLICY,
    /** The artefact fell short, or did anything that sandboxed code can bring about. */
    WORK,
    /** The gate could not evaluate, by no doing of the producer. */
    INFRASTRUCTURE;

    /** The cause as it stands in JSON and SQL. */
    public String wire() {
        return name().toLowerCase(Locale.ROOT);
    }
}
