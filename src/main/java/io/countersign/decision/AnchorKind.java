package io.countersign.decision;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** Where a judge stands. Only what is outside the producer's reach can block. */
enum AnchorKind {
    HARNESS_SUBAGENT(true),
    STATELESS_API(true),
    CI(true),
    HUMAN_EXTERNAL(true),
    SELF(false),
    SAME_CONTEXT(false),
    HUMAN_SELF(false);

    private final boolean outside;

    AnchorKind(boolean outside) {
        this.outside = outside;
    }

    /** Whether the producer cannot reach it. */
    boolean outside() {
        return outside;
    }

    /** The kind as it stands in documents. */
    String wire() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Kinds are spelled exactly. */
    static Optional<AnchorKind> of(String wire) {
        return Arrays.stream(values()).filter(kind -> kind.wire().equals(wire)).findFirst();
    }
}
