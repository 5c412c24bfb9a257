package io.countersign.check.sandbox;

import java.time.Duration;

/**
 * Runs one command to its end and no longer. Safe for use by many threads.
 *
 * <p>Whatever the command does (hang, flood, fork, detach), the outcome comes within a second of
 * the limit, and by then no process of its tree is left.
 */
public interface Sandbox {
    /** How strongly the backend isolates: {@code bubblewrap} or {@code none}. */
    String isolation();

    /** The server's bounds around a wall-clock limit. */
    default Limits limits(Duration wall) {
        return Limits.of(wall);
    }

    /**
     * Runs the command and waits for its end.
     *
     * @throws InterruptedException when the calling thread is interrupted; the process tree has
     *     ended by then
     */
    Outcome run(Command command, Limits limits) throws InterruptedException;
}
