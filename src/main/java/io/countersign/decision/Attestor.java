package io.countersign.decision;

import org.jspecify.annotations.Nullable;

import java.util.Set;

/**
 * The authenticated principal that posts a decision.
 *
 * @param id the principal's id
 * @param granted anchor kinds it was granted, as they stand in documents
 * @param anchorId the anchor id that its credential proves (a CI run), if any
 */
record Attestor(String id, Set<String> granted, @Nullable String anchorId) {
    Attestor {
        granted = Set.copyOf(granted);
    }
}
