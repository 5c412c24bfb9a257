package io.countersign.grader;

import io.countersign.artefact.ChangeSet;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The files under judgement as they were frozen, before any check could change them. Reading never
 * follows a symbolic link.
 */
public interface FrozenFiles {
    /** No workspace came along. */
    FrozenFiles NONE =
            new FrozenFiles() {
                @Override
                public List<Entry> list() {
                    return List.of();
                }

                @Override
                public Optional<Entry> find(String path) {
                    return Optional.empty();
                }

                @Override
                public byte[] read(String path, int max) throws IOException {
                    throw new NoSuchFileException(path);
                }
            };

    /**
     * The files of a directory. A changed file whose digest is no longer the frozen one is refused,
     * but an unchanged file that a check rewrote cannot be told: grade on a directory in which
     * nothing ran.
     *
     * @param root absolute path of the workspace
     * @param changeSet as taken before anything ran
     */
    static FrozenFiles of(Path root, ChangeSet changeSet) {
        return new DirectoryFiles(root, changeSet);
    }

    /** A file is not what it was when the change-set hash was taken. */
    final class NoLongerFrozen extends IOException {
        private static final long serialVersionUID = 1L;

        public NoLongerFrozen(String path) {
            super(path);
        }
    }

    /**
     * One file.
     *
     * @param path relative to the workspace root, forward slashes
     * @param size in bytes; of the target's text for a symbolic link
     * @param link whether it is a symbolic link: reading it gives the target's text
     */
    record Entry(String path, long size, boolean link) {}

    /** Every file, in ascending order of paths. */
    List<Entry> list() throws IOException;

    /** The file at exactly this path; empty when there is none. */
    Optional<Entry> find(String path) throws IOException;

    /**
     * At most the first {@code max} bytes of a file that {@link #find} knows.
     *
     * @throws NoLongerFrozen when it was rewritten since
     */
    byte[] read(String path, int max) throws IOException;
}
