package io.countersign.artefact;

import io.countersign.kernel.Sha256;

/**
 * An upload that was received and found safe, and waits on this host's disk to be stored. Closing
 * it removes it from there.
 */
public interface ReceivedArchive extends AutoCloseable {
    /** The digest of the archive's own bytes. */
    Sha256 sha256();

    /** Stores it as a blob of its project, in the caller's transaction where there is one. */
    StoredArchive store();

    @Override
    void close();
}
