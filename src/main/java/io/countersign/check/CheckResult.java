package io.countersign.check;

import io.countersign.kernel.Cause;
import io.countersign.kernel.Finding;
import io.countersign.scrub.Bounded;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;

/**
 * The result of one check.
 *
 * @param index its place in the DoD, from 0
 * @param kind the kind as spelled in the language
 * @param command the command that was (or would have been) run, if it runs one
 * @param outcome how it ended
 * @param reason why it did not pass, scrubbed, one line that begins with the kind's name being left
 *     out; null when it passed
 * @param cause what it counts as when it did not pass; null when it passed or did not run
 * @param exitCode of its process; null when none ended by itself
 * @param duration how long it took
 * @param isolation the sandbox's isolation; null when no process ran
 * @param tests counts where tests ran and could be counted; null when unknown or no tests
 * @param testsUnknown true when tests should have run but nothing recognisable said so
 * @param stdout captured output; null when no process ran
 * @param stderr captured output; null when no process ran
 * @param findings warnings that this check saw
 */
public record CheckResult(
        int index,
        String kind,
        @Nullable String command,
        CheckOutcome outcome,
        @Nullable String reason,
        @Nullable Cause cause,
        @Nullable Integer exitCode,
        Duration duration,
        @Nullable String isolation,
        @Nullable TestCounts tests,
        boolean testsUnknown,
        @Nullable CapturedText stdout,
        @Nullable CapturedText stderr,
        List<Finding> findings) {
    public CheckResult {
        findings = List.copyOf(findings);
    }

    public boolean passed() {
        return outcome == CheckOutcome.PASSED;
    }

    /**
     * The end of what its process wrote: stdout, then stderr under a line that says so. Empty when
     * no process ran or it wrote nothing.
     *
     * @param max characters of each stream
     */
    public String outputTail(int max) {
        StringBuilder tail = new StringBuilder();
        if (stdout != null) tail.append(Bounded.tail(stdout.text(), max));
        if (stderr != null && !stderr.text().isBlank()) {
            if (!tail.isEmpty() && tail.charAt(tail.length() - 1) != '\n') tail.append('\n');
            if (!tail.isEmpty()) tail.append("[stderr]\n");
            tail.append(Bounded.tail(stderr.text(), max));
        }
        return tail.toString();
    }
}
