package io.countersign.check.sandbox;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A control group for one run at a time: it bounds, counts and ends the whole process tree. */
interface Cgroup {
    /** Files that a process writes {@code 0} into to become a member. */
    List<Path> joinFiles();

    /**
     * Sets the bounds for the next run and begins to count anew.
     *
     * @throws IOException when the kernel does not take them
     */
    void limit(Limits limits) throws IOException;

    /** Whether memory is bounded here; otherwise it must be done another way. */
    boolean boundsMemory();

    /** CPU time of the whole tree; empty when it is not counted here. */
    Optional<Duration> cpu();

    /** Whether the kernel killed a member for the memory bound since {@link #limit}. */
    boolean ranOutOfMemory();

    /** Ends every member. Members that fork meanwhile are ended, too. */
    void kill();

    boolean isEmpty();

    /** Removes the group; it must be empty. */
    void remove();
}
