package io.countersign.check.sandbox;

/**
 * Runs one command to its end and no longer. Safe for use by many threads.
 *
 * <p>Whatever the command does (hang, flood, fork, detach), the outcome comes within a second of
 * the limit, and by then no process of its tree is left.
 */
public interface Sandbox {
    /** How strongly the backend isolates: {@code bubblewrap} or {@code none}. */
    String isolation();

    /**
     * Runs the command and waits for its end.
     *
     * @throws InterruptedException when the calling thread is interrupted; the process tree has
     *     ended by then
     */
    Outcome run(Command command, Limits limits) throws InterruptedException;
}
