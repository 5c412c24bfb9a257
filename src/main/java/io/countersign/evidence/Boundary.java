package io.countersign.evidence;

import java.util.List;
import java.util.Locale;

/** Where a host can observe tool calls. */
public enum Boundary {
    /** Calls that the host makes itself. */
    NATIVE,
    /** Calls made by code that the model wrote. */
    CODE_MODE_EXECUTION,
    /** What code mode finally answers; no host exposes it. */
    CODE_MODE_FINALITY;

    /** The boundaries at which calls happen. */
    public static final List<Boundary> EXECUTION = List.of(NATIVE, CODE_MODE_EXECUTION);

    /** The boundary as it stands in JSON and in the DoD language. */
    public String wire() {
        return name().toLowerCase(Locale.ROOT);
    }
}
