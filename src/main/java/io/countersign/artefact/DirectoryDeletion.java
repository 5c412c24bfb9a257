package io.countersign.artefact;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
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
 * that no path reaches their end. A subdirectory that lies deep is moved up beside the first one
 * before it is emptied, so paths stay short and recursion shallow. No symlink is followed.
 */
final class DirectoryDeletion {
    private static final boolean POSIX =
            FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
    private static final int ROUNDS = 5;

    /** Names have up to 255 bytes and paths up to 4,095; each level also holds a descriptor. */
    private static final int MAX_DEPTH = 8;

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
            removeIfThere(directory, 0);
        }
    }

    /** Entries may be missed while a directory shrinks under its listing; hence the rounds. */
    private void remove(Path directory, int depth) throws IOException {
        for (int round = 1; ; round++) {
            try {
                empty(directory, depth);
                Files.delete(directory);
                return;
            } catch (AccessDeniedException e) {
                if (round == ROUNDS) {
                    throw e;
                }
                makeAccessible(directory);
            } catch (DirectoryNotEmptyException e) {
                if (round == ROUNDS) {
                    throw e;
                }
            }
        }
    }

    private void empty(Path directory, int depth) throws IOException {
        try (DirectoryStream<Path> children = Files.newDirectoryStream(directory)) {
            for (Path child : children) {
                if (!Files.isDirectory(child, LinkOption.NOFOLLOW_LINKS)) {
                    Files.deleteIfExists(child);
                } else if (depth < MAX_DEPTH) {
                    removeIfThere(child, depth + 1);
                } else {
                    moveUp(child);
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
    }

    private void removeIfThere(Path child, int depth) throws IOException {
        try {
            remove(child, depth);
        } catch (NoSuchFileException e) {
            // Gone already: another sweep was faster.
        }
    }

    private void moveUp(Path child) throws IOException {
        Path up;
        do {
            up = first.resolveSibling(first.getFileName() + "~" + moved++);
        } while (Files.exists(up, LinkOption.NOFOLLOW_LINKS));
        try {
            Files.move(child, up);
        } catch (AccessDeniedException e) {
            makeAccessible(child); // moving a directory writes its "..", too
            Files.move(child, up);
        }
        waiting.addLast(up);
    }

    private static void makeAccessible(Path directory) throws IOException {
        if (POSIX) {
            Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
        }
    }
}
