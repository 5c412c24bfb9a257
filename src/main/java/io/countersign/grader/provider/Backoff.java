package io.countersign.grader.provider;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How long to wait before the next attempt.
 *
 * @param first before the second attempt; doubled for each further one
 * @param longest of our own pauses
 */
record Backoff(Duration first, Duration longest) {
    /**
     * Half of the exponential pause, and up to as much again at random so that many waiting
     * gradings do not come back together; never less than the provider asked for.
     *
     * @param attempts how many were made, at least 1
     */
    Duration pause(int attempts, @Nullable Duration retryAfter, RandomGenerator random) {
        long doubled = first.toMillis() << Math.min(attempts - 1, 20);
        long full = Math.clamp(doubled, 1, longest.toMillis());
        Duration own = Duration.ofMillis(full / 2 + random.nextLong(full / 2 + 1));
        if (retryAfter == null || retryAfter.isNegative()) return own;
        Duration asked = retryAfter.plusMillis(random.nextLong(full / 2 + 1));
        return asked.compareTo(own) > 0 ? asked : own;
    }
}
