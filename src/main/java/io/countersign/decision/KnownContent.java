package io.countersign.decision;

import java.util.Optional;

/** The content under judgement, as far as the service knows it. */
@FunctionalInterface
interface KnownContent {
    /** Nothing is known. */
    KnownContent NONE = path -> Optional.empty();

    /**
     * The text of the file at a path of the change-set, bytes that are no UTF-8 replaced; empty
     * when it is not known.
     */
    Optional<String> textOf(String path);
}
