package io.countersign.gate;

import org.jspecify.annotations.Nullable;

/**
 * The part of the frozen policy that the gate reads.
 *
 * @param require when the gate is opened
 * @param preferDeterministic false: a mixed DoD also grades its criteria
 * @param requireExplicitDod true: nothing is inferred
 * @param acceptNoChanges true: a change-set known to be empty finishes a delegation without a gate
 * @param baseline the project's block that must hold beside the request's own; null for none
 */
public record GatePolicy(
        Require require,
        boolean preferDeterministic,
        boolean requireExplicitDod,
        boolean acceptNoChanges,
        @Nullable String baseline) {}
