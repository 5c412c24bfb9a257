package io.countersign.artefact;

import io.countersign.kernel.Sha256;

import java.util.List;

/** What the work changed, as frozen before anything ran. */
public sealed interface ChangeSet {
    /** Nobody said and there is no base to compare with: never "nothing changed". */
    record Unknown() implements ChangeSet {}

    /**
     * Paths by the producer's word, and no workspace to read their contents from. There is no hash,
     * hence neither attestation nor receipt: one over missing contents would be the hash of a
     * change-set that deletes all of them.
     *
     * @param files in ascending UTF-8 byte order of their paths, without digests; never empty
     */
    record Declared(List<ChangedFile> files) implements ChangeSet {
        public Declared {
            files = List.copyOf(files);
        }
    }

    /**
     * @param files in ascending UTF-8 byte order of their paths
     * @param sha256 the change-set hash of {@code docs/workspaces.md}
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

    /** The changed files as far as anybody said; empty when unknown, which is not "none". */
    default List<ChangedFile> named() {
        return switch (this) {
            case Unknown unknown -> List.of();
            case Declared declared -> declared.files();
            case Known known -> known.files();
        };
    }
}
