package io.countersign.check.sandbox;

import java.time.Duration;

/** How a supervised process tree ended, before its backend reads the status. */
record Ended(How how, Output output, Duration duration) {
    sealed interface How {}

    /** The started process ended; a status of 128 and more may stand for a signal. */
    record ByItself(int status) implements How {}

    record AtDeadline() implements How {}

    /**
     * @param limit which one, with its bound
     */
    record AtLimit(String limit) implements How {}
}
