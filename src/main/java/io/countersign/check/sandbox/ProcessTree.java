package io.countersign.check.sandbox;

import java.util.Optional;

/** All processes of one run, also those that detached from it. */
interface ProcessTree {
    /** Which bound of the whole tree is exceeded, in words; empty when none is. */
    Optional<String> exceeded();

    /** Whether the end of the started process is the end of all. */
    boolean endsByItself();

    /** Ends all of them, once; to be called again while {@link #isGone} is false. */
    void kill();

    /** Whether none is left. */
    boolean isGone();
}
