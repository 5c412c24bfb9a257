package io.countersign.gate;

import java.util.Locale;

/** Whether the verdict is a note on finished work or decides what is returned. */
public enum Wiring {
    ADVISORY,
    AUTHORITATIVE;

    /** The wiring as it stands in JSON and SQL. */
    public String wire() {
        return name().toLowerCase(Locale.ROOT);
    }
}
