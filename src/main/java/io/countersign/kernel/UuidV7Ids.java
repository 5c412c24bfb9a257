package io.countersign.kernel;

import java.time.InstantSource;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;

/**
 * UUIDv7 with a counter of 12 bits in place of {@code rand_a} (RFC 9562, 6.2, method 1): the 60
 * bits of time and counter only ever grow, also when the clock is set back or more than 4,096 ids
 * are made in one millisecond (the id then runs a little ahead of the clock).
 */
final class UuidV7Ids implements Ids {
    private static final int COUNTER_BITS = 12;
    private static final long COUNTER_MASK = (1L << COUNTER_BITS) - 1;
    private static final long VERSION = 0x7000L;
    private static final long VARIANT = 1L << 63;
    private static final long RANDOM_MASK = (1L << 62) - 1;

    private final InstantSource clock;
    private final RandomGenerator random;
    private final AtomicLong last = new AtomicLong();

    UuidV7Ids(InstantSource clock, RandomGenerator random) {
        this.clock = clock;
        this.random = random;
    }

    @Override
    public UUID next() {
        long now = clock.millis() << COUNTER_BITS;
        long stamp = last.updateAndGet(previous -> Math.max(previous + 1, now));
        long millis = stamp >>> COUNTER_BITS;
        long most = (millis << 16) | VERSION | (stamp & COUNTER_MASK);
        return new UUID(most, VARIANT | (random.nextLong() & RANDOM_MASK));
    }
}
