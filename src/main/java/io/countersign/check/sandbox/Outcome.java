package io.countersign.check.sandbox;

import java.time.Duration;

/** How a run ended. A timeout or a signal is a result, not an exception. */
public sealed interface Outcome {
    /** The process ended by itself. */
    record Exited(int code, Output output, Duration duration) implements Outcome {}

    /** The wall-clock limit closed; the whole tree was killed. */
    record TimedOut(Duration limit, Output output) implements Outcome {}

    /**
     * A signal ended it, its own or one of the limits'.
     *
     * @param signal for example 9
     * @param reason which limit it ran into, or {@code killed by signal 11}
     */
    record Signalled(int signal, String reason, Output output, Duration duration)
            implements Outcome {}

    /**
     * Nothing ran.
     *
     * @param programMissing true when the program is not on the sandbox's PATH, false when the
     *     sandbox itself failed
     */
    record NotStarted(String reason, boolean programMissing) implements Outcome {}
}
