package io.countersign.evidence;

import java.math.BigInteger;

/** How often something happened. Unknown is never zero. */
sealed interface Count {
    record Known(BigInteger value) implements Count {
        boolean is(long expected) {
            return value.equals(BigInteger.valueOf(expected));
        }
    }

    /** The host could have counted, and did not. */
    record Omitted() implements Count {}

    /** The host cannot count. */
    record Unsupported() implements Count {}

    default boolean isZero() {
        return this instanceof Known known && known.value().signum() == 0;
    }
}
