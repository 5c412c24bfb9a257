package io.countersign.verification;

import org.jspecify.annotations.Nullable;

/**
 * Who made the artefact, as far as it may be believed. Names have at most 500 characters.
 *
 * @param id the producing session; null when none was named
 * @param drafterId the agent behind the session, if named
 * @param tier its tier; null when unknown, which counts as the highest
 * @param model its model as {@code provider/model}; null when unknown
 * @param error why the producer itself failed; null when it did not
 */
public record Producer(
        @Nullable String id,
        @Nullable String drafterId,
        @Nullable String tier,
        @Nullable String model,
        @Nullable String error) {}
