package io.countersign.gate;

import java.util.Locale;

/** What sort of work item is verified. */
public enum Mode {
    /** Mode A: a delegation by dispatch text; a DoD may be inferred. */
    DISPATCH,
    /** Mode B: a task of a plan; strict, its own block is demanded. */
    PLAN;

    /** The mode as it stands in JSON and SQL. */
    public String wire() {
        return name().toLowerCase(Locale.ROOT);
    }
}
