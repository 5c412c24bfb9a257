package io.countersign.artefact;

import io.countersign.kernel.Sha256;

/**
 * An archive that a project uploaded.
 *
 * @param sha256 of the archive's own bytes
 * @param bytes its size
 * @param files how many files and symlinks it unpacks to
 */
public record StoredArchive(Sha256 sha256, long bytes, int files) {
    public WorkspaceInput input() {
        return new WorkspaceInput.Archive(sha256);
    }
}
