package io.countersign.check;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

import java.util.List;

/**
 * How checks run; a project's {@code commands} and {@code defaults} members override the first two.
 *
 * @param commands which programs a command may name
 * @param defaults commands of checks that name none
 * @param concurrency verifications that run commands at once; 0 is the number of processors
 * @param failFast whether the first tier with a failure is the last that runs
 * @param tests what counts as a test run
 */
@ConfigurationProperties("countersign.checks")
public record CheckProperties(
        @DefaultValue Commands commands,
        @DefaultValue Defaults defaults,
        @DefaultValue("0") int concurrency,
        @DefaultValue("false") boolean failFast,
        @DefaultValue Tests tests) {
    public CheckProperties {
        if (concurrency < 0) {
            throw new IllegalArgumentException(
                    "countersign.checks.concurrency is 0 (the number of processors) or more");
        }
    }

    /**
     * @param allowlist bare program names, or wrappers of the workspace such as {@code ./mvnw}; the
     *     default list when absent
     */
    public record Commands(@Nullable List<String> allowlist) {
        /** The configured list, or the default one. */
        public List<String> programs() {
            return allowlist == null ? CommandPolicy.DEFAULT_ALLOWLIST : List.copyOf(allowlist);
        }
    }

    /**
     * Commands of checks that name none; absent ones come from the workspace's ecosystem.
     *
     * @param test the command of {@code testsPass}
     * @param build the command of {@code buildPasses}
     * @param lint the command of {@code lintClean}
     */
    public record Defaults(@Nullable String test, @Nullable String build, @Nullable String lint) {}

    /**
     * @param requireReport whether {@code testsPass} fails when nothing says how many tests ran
     */
    public record Tests(@DefaultValue("false") boolean requireReport) {}
}
