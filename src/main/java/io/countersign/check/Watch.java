package io.countersign.check;

import java.time.Instant;
import java.time.InstantSource;

/**
 * Ends work inside this process at its time-box or when the thread is interrupted. Hostile patterns
 * and schemas can make a small file take for ever; no process stands between them and the service.
 */
final class Watch {
    private static final int STRIDE = 1_024;

    private final InstantSource clock;
    private final Instant until;
    private int ticks;

    /** The time-box has closed. The thread's interrupt flag, if that was it, is still set. */
    static final class OutOfTime extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private OutOfTime() {
            super("out of time", null, false, false);
        }
    }

    Watch(InstantSource clock, Instant until) {
        this.clock = clock;
        this.until = until;
    }

    /**
     * Counts one small step.
     *
     * @throws OutOfTime when the time is over
     */
    void tick() {
        if (ticks++ % STRIDE == 0) look();
    }

    /**
     * Takes a large step.
     *
     * @throws OutOfTime when the time is over
     */
    void look() {
        if (Thread.currentThread().isInterrupted() || clock.instant().isAfter(until)) {
            throw new OutOfTime();
        }
    }

    /** The same characters, each look at one of them a step. */
    CharSequence over(CharSequence text) {
        return new Watched(text, this);
    }

    private record Watched(CharSequence text, Watch watch) implements CharSequence {
        @Override
        public int length() {
            return text.length();
        }

        @Override
        public char charAt(int index) {
            watch.tick();
            return text.charAt(index);
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            return text.subSequence(start, end);
        }

        @Override
        public String toString() {
            return text.toString();
        }
    }
}
