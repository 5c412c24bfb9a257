package io.countersign.check;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * The part of the frozen policy that checks read. It is stored with the verification, so that a
 * later run of the same one judges by the same rules.
 *
 * @param allowlist programs that a command may name, as bare names or {@code ./} wrappers
 * @param defaultTest the project's command for {@code testsPass} without one; null asks the
 *     workspace
 * @param defaultBuild the same for {@code buildPasses}
 * @param defaultLint the same for {@code lintClean}
 * @param checkTimeout time-box of a check that names none; positive
 * @param failFast whether the first tier with a failure is the last that runs
 * @param requireReport whether {@code testsPass} fails when nothing says how many tests ran
 * @param readOnlyBinds absolute host paths that commands see read-only
 */
public record CheckPolicy(
        List<String> allowlist,
        @Nullable String defaultTest,
        @Nullable String defaultBuild,
        @Nullable String defaultLint,
        Duration checkTimeout,
        boolean failFast,
        boolean requireReport,
        List<Path> readOnlyBinds) {
    public CheckPolicy {
        allowlist = List.copyOf(allowlist);
        readOnlyBinds = List.copyOf(readOnlyBinds);
        if (!checkTimeout.isPositive()) {
            throw new IllegalArgumentException("checkTimeout must be positive: " + checkTimeout);
        }
        for (Path bind : readOnlyBinds) {
            if (!bind.isAbsolute()) {
                throw new IllegalArgumentException("readOnlyBinds must be absolute: " + bind);
            }
        }
    }
}
