package io.countersign.check;

import java.util.Locale;

/** How one check ended. */
public enum CheckOutcome {
    PASSED,
    FAILED,
    TIMED_OUT,
    /** The command policy refused it; nothing ran. */
    REFUSED,
    /** It could not be evaluated (a tool is missing, the sandbox broke). */
    ERRORED,
    NOT_RUN;

    /** The outcome as it stands in JSON and SQL. */
    public String wire() {
        return name().toLowerCase(Locale.ROOT);
    }
}
