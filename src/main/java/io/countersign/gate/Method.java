package io.countersign.gate;

import java.util.Locale;

/** What a verdict rests on. */
public enum Method {
    DETERMINISTIC,
    CHECKER,
    NONE;

    /** The method as it stands in JSON and SQL. */
    public String wire() {
        return name().toLowerCase(Locale.ROOT);
    }
}
