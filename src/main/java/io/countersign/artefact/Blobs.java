package io.countersign.artefact;

import io.countersign.kernel.ProjectId;
import io.countersign.kernel.Sha256;

import java.time.Instant;

/** Uploaded bytes by their digest, each project's own. */
public interface Blobs {
    /**
     * Keeps a blob at least until then. Cheap to call often: it writes only when the blob would
     * expire earlier.
     *
     * @return false when the project has no such blob (any more)
     */
    boolean retainUntil(ProjectId project, Sha256 sha256, Instant until);

    /**
     * Deletes what has expired, in batches of short transactions.
     *
     * @return how many blobs
     */
    int deleteExpired();
}
