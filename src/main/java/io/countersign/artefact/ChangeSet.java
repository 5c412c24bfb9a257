package io.countersign.artefact;

import io.countersign.kernel.Sha256;

import java.util.List;

/** What the work changed, as frozen before anything ran. */
public sealed interface ChangeSet {
    /** Nobody said and there is no base to compare with: never "nothing changed". */
    record Unknown() implements ChangeSet {}

    /**
     * @param files in ascending UTF-8 byte order of their paths
     * @param sha256 the change-set hash of {@code docs/trust.md}
     */
    record Known(List<ChangedFile> files, Sha256 sha256) implements ChangeSet {
        public Known {
            files = List.copyOf(files);
        }
    }

    /** Known, and nothing in it. */
    default boolean knownEmpty() {
        return this instanceof Known known && known.files().isEmpty();
    }
}
