package io.countersign.grader;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
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

    /** At most the first {@code max} bytes of a file that {@link #find} knows. */
    byte[] read(String path, int max) throws IOException;
}
