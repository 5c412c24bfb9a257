package io.countersign.gate;

import java.util.Locale;

/** When the gate is opened ({@code verify.require}). */
public enum Require {
    /** Verify a block, else infer; proportional skips apply. */
    WHEN_DOD_PRESENT,
    /** The same without proportional skips. */
    ALWAYS,
    /** No gate. */
    NEVER;

    /** The value as it stands in configuration, for example {@code when-dod-present}. */
    public String wire() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
