package io.countersign.artefact;

import io.countersign.kernel.Sha256;

import org.jspecify.annotations.Nullable;

import java.util.Locale;

/**
 * One file that the work changed.
 *
 * @param path relative to the workspace root, forward slashes, NFC
 * @param status what happened to it
 * @param from the former path of a renamed file; null otherwise
 * @param sha256 of its content; null when it does not exist (deleted, or declared and missing)
 */
public record ChangedFile(
        String path, Status status, @Nullable String from, @Nullable Sha256 sha256) {
    public enum Status {
        ADDED,
        MODIFIED,
        DELETED,
        RENAMED;

        /** The status as it stands in JSON and SQL. */
        public String wire() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
