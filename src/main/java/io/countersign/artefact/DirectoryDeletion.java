package io.countersign.artefact;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Deletes a directory that hostile code filled: read-only or unreadable directories, trees so deep
 * that no path reaches their end. Each subdirectory is moved up beside the first one before it is
 * emptied, so paths stay short and nothing recurses. No symlink is followed.
 */
final class DirectoryDeletion {
    private static final boolean POSIX =
            FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
    private static final int ROUNDS = 5;

    private final Deque<Path> waiting = new ArrayDeque<>();
    private final Path first;
    private long moved;

    private DirectoryDeletion(Path first) {
        this.first = first;
        waiting.add(first);
    }

    /**
     * Deletes {@code directory} and all that it holds; one that does not exist is no error. Beside
     * it, names that begin with its own and {@code ~} are used meanwhile; what an earlier call left
     * under them can be deleted by calling this on each.
     *
     * @throws IOException when something cannot be deleted
     */
    static void delete(Path directory) throws IOException {
        new DirectoryDeletion(directory).run();
    }

    private void run() throws IOException {
        for (Path directory = waiting.poll(); directory != null; directory = waiting.poll()) {
            try {
                empty(directory);
                Files.delete(directory);
            } catch (NoSuchFileException e) {
                // Gone already: another sweep was faster.
            }
        }
    }

    /** Entries may be missed while a directory shrinks under its listing; hence the rounds. */
    private void empty(Path directory) throws IOException {
        makeAccessible(directory);
        for (int round = 0; round < ROUNDS; round++) {
            try (DirectoryStream<Path> children = Files.newDirectoryStream(directory)) {
                for (Path child : children) {
                    remove(child);
                }
            } catch (DirectoryIteratorException e) {
                throw e.getCause();
            }
            try (DirectoryStream<Path> children = Files.newDirectoryStream(directory)) {
                if (!children.iterator().hasNext()) {
                    return;
                }
            }
        }
        throw new DirectoryNotEmptyException(directory.toString());
    }

    private void remove(Path child) throws IOException {
        try {
            if (!Files.isDirectory(child, LinkOption.NOFOLLOW_LINKS)) {
                Files.deleteIfExists(child);
                return;
            }
            Files.delete(child); // many are empty
        } catch (DirectoryNotEmptyException e) {
            moveUp(child);
        }
    }

    private void moveUp(Path child) throws IOException {
        makeAccessible(child);
        Path up;
        do {
            up = first.resolveSibling(first.getFileName() + "~" + moved++);
        } while (Files.exists(up, LinkOption.NOFOLLOW_LINKS));
        Files.move(child, up);
        waiting.addLast(up);
    }

    /** Moving, listing and emptying a directory need its owner's permissions; root has them. */
    private static void makeAccessible(Path directory) throws IOException {
        if (POSIX
                && !(Files.isReadable(directory)
                        && Files.isWritable(directory)
                        && Files.isExecutable(directory))) {
            Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
        }
    }
}
