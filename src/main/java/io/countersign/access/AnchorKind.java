package io.countersign.access;

import java.util.Locale;

/** The anchors outside the producer, which a principal can be granted. */
enum AnchorKind {
    HARNESS_SUBAGENT,
    STATELESS_API,
    CI,
    HUMAN_EXTERNAL;

    String wire() {
        return name().toLowerCase(Locale.ROOT);
    }
}
