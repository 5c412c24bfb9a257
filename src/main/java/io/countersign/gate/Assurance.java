package io.countersign.gate;

import java.util.Locale;

/** Who wrote the exam, weakest first (see {@code docs/trust.md}). */
public enum Assurance {
    /** The producer wrote the DoD and no baseline held. */
    SELF,
    /** The producer wrote the DoD, and the project's baseline, which it cannot write, held too. */
    BASELINE,
    /** The DoD's author is not the producer. */
    INDEPENDENT;

    /** The assurance as it stands in JSON and SQL. */
    public String wire() {
        return name().toLowerCase(Locale.ROOT);
    }
}
