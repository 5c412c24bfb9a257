package io.countersign.verification;

import io.countersign.kernel.ProblemException;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How long a caller is ready to wait: {@code Prefer: wait=n} (RFC 7240) or {@code ?wait=n}. */
public final class Waiting {
    private static final Duration LONGEST = Duration.ofSeconds(60);
    private static final Pattern PREFER =
            Pattern.compile("(?:^|[,;\\s])wait\\s*=\\s*(\\d{1,9})\\b");

    private Waiting() {}

    /** Zero when the header names no wait; never more than 60 s. */
    public static Duration preferred(@Nullable String prefer) {
        if (prefer == null) return Duration.ZERO;
        Matcher wait = PREFER.matcher(prefer);
        return wait.find() ? atMost(Integer.parseInt(wait.group(1))) : Duration.ZERO;
    }

    /**
     * Reads the {@code wait} parameter.
     *
     * @throws ProblemException 422 for a negative one
     */
    public static Duration parameter(@Nullable Integer seconds) {
        if (seconds == null) return Duration.ZERO;
        if (seconds < 0) {
            throw ProblemException.invalid("?wait", "is a number of seconds from 0 to 60");
        }
        return atMost(seconds);
    }

    private static Duration atMost(int seconds) {
        return Duration.ofSeconds(Math.min(seconds, LONGEST.toSeconds()));
    }
}
