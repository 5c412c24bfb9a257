package io.countersign.delegation;

import io.countersign.dod.Hints;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.List;

/** The body of {@code POST /v1/delegations}; see {@code docs/delegations.md}. */
record DelegationRequest(
        @Nullable String project,
        @Nullable String dispatch,
        @Nullable String acceptance,
        @Nullable String mode,
        @Nullable ProducerTier producer,
        @Nullable Boolean trivial,
        @Nullable String cwd,
        @Nullable Hints hints,
        @Nullable Policy policy) {
    record ProducerTier(@Nullable String tier) {}

    /**
     * The delegation's own policy.
     *
     * @param escalate bounds of the ladder
     * @param verification commands that must pass, as exact argument vectors
     * @param allowedPaths globs; a change outside them fails the attempt
     * @param noChanges {@code accept}: a change-set known to be empty finishes the delegation
     */
    record Policy(
            @Nullable JsonNode escalate,
            @Nullable List<Verification> verification,
            @Nullable List<String> allowedPaths,
            @Nullable String noChanges) {}

    record Verification(@Nullable String name, @Nullable List<String> argv) {}
}
