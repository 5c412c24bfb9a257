package io.countersign.artefact;

import java.nio.file.Path;

/**
 * The fresh, writable directory of one run.
 *
 * @param root absolute path on this host
 * @param cwd the directory that check paths and commands are relative to, as a relative path with
 *     forward slashes; empty for the root
 */
public record Workspace(Path root, String cwd) {
    /** The absolute directory of {@code cwd}. */
    public Path directory() {
        return cwd.isEmpty() ? root : root.resolve(cwd);
    }
}
