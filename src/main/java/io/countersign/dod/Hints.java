package io.countersign.dod;

import org.jspecify.annotations.Nullable;

/**
 * What is known about a workspace when a DoD is inferred. Null and blank mean unknown.
 *
 * @param testCommand runs the tests
 * @param buildCommand builds
 * @param lintCommand lints
 * @param declaredPath the file that the work is to produce
 */
public record Hints(
        @Nullable String testCommand,
        @Nullable String buildCommand,
        @Nullable String lintCommand,
        @Nullable String declaredPath) {
    public static final Hints NONE = new Hints(null, null, null, null);
}
