package io.countersign.access;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Where a judge stands. Only what is outside the producer's reach can block, and only that is
 * granted to a principal: the inside kinds claim nothing.
 */
public enum AnchorKind {
    HARNESS_SUBAGENT(true),
    STATELESS_API(true),
    CI(true),
    HUMAN_EXTERNAL(true),
    SELF(false),
    SAME_CONTEXT(false),
    HUMAN_SELF(false);

    /** What a principal can be granted, as it stands in documents. */
    static final Set<String> GRANTABLE =
            Arrays.stream(values())
                    .filter(AnchorKind::outside)
                    .map(AnchorKind::wire)
                    .collect(Collectors.toUnmodifiableSet());

    private final boolean outside;

    AnchorKind(boolean outside) {
        this.outside = outside;
    }

    /** Whether the producer cannot reach it. */
    public boolean outside() {
        return outside;
    }

    /** The kind as it stands in documents. */
    public String wire() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Kinds are spelled exactly. */
    public static Optional<AnchorKind> of(String wire) {
        return Arrays.stream(values()).filter(kind -> kind.wire().equals(wire)).findFirst();
    }
}
