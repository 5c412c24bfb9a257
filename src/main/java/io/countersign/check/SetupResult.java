package io.countersign.check;

import io.countersign.kernel.Cause;

import org.jspecify.annotations.Nullable;

import java.time.Duration;

/**
 * How the project's setup step ended.
 *
 * @param command as configured, scrubbed
 * @param outcome how it ended
 * @param reason why it did not pass, scrubbed; null when it passed
 * @param cause infrastructure, unless the change-set steers the step: then work; null when it
 *     passed
 * @param exitCode of its process; null when none ended by itself
 * @param duration how long it took
 * @param isolation the sandbox's isolation; null when no process ran
 * @param stdout captured output; null when no process ran
 * @param stderr captured output; null when no process ran
 */
public record SetupResult(
        String command,
        CheckOutcome outcome,
        @Nullable String reason,
        @Nullable Cause cause,
        @Nullable Integer exitCode,
        Duration duration,
        @Nullable String isolation,
        @Nullable CapturedText stdout,
        @Nullable CapturedText stderr) {
    public boolean passed() {
        return outcome == CheckOutcome.PASSED;
    }
}
