package io.countersign.artefact;

import io.countersign.kernel.Cause;

/** What became of a run's input. */
public sealed interface Materialised {
    /** The directory is there; whoever gets it closes it. */
    record Ready(PreparedWorkspace workspace) implements Materialised {}

    /**
     * There is no directory, and nothing is left on disk.
     *
     * @param cause {@code WORK} where the files are at fault (a mounted symlink that leads outside,
     *     a {@code cwd} that does not exist), {@code INFRASTRUCTURE} where they are not to be had
     *     (an expired blob, a mount that this host does not have)
     * @param reason one line for people
     */
    record Refused(Cause cause, String reason) implements Materialised {}
}
