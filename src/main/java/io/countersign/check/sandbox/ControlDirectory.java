package io.countersign.check.sandbox;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The sandbox's own small files on this host: what a run says about itself, and the settings that
 * are generated for the inside. Traversable by the command's user, listable by the service alone.
 */
final class ControlDirectory implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(ControlDirectory.class);

    /** Numbers of runs differ between the services of a host, as far as their process ids do. */
    private static final long FIRST = ProcessHandle.current().pid() * 100_000_000L;

    private static final String PREFIX = "countersign-sandbox-";

    private final Path directory;
    private final AtomicLong runs = new AtomicLong();

    private ControlDirectory(Path directory) {
        this.directory = directory;
    }

    static ControlDirectory create() {
        try {
            Path directory = Files.createTempDirectory(ProcessTable.owner(PREFIX));
            sweep(directory.resolveSibling("."));
            Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx--x--x"));
            return new ControlDirectory(directory);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot create a directory for the sandbox", e);
        }
    }

    /** Deletes what services that were killed left there. */
    private static void sweep(Path parent) throws IOException {
        try (DirectoryStream<Path> left = Files.newDirectoryStream(parent, PREFIX + "*")) {
            for (Path orphan : left) {
                if (ProcessTable.isOrphan(PREFIX, orphan.getFileName().toString())) {
                    deleteTree(orphan);
                }
            }
        }
    }

    /** A directory that every run sees; files go into it through {@link #share}. */
    Path shared(String name) {
        try {
            Path shared = Files.createDirectory(directory.resolve(name));
            return Files.setPosixFilePermissions(
                    shared, PosixFilePermissions.fromString("rwxr-xr-x"));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot create " + name + " for the sandbox", e);
        }
    }

    /** Writes a file that every run may read. */
    static void share(Path file, String content) {
        try {
            Files.writeString(file, content);
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + file + " for the sandbox", e);
        }
    }

    Path directory() {
        return directory;
    }

    RunFiles newRun() {
        return new RunFiles(directory, FIRST + runs.incrementAndGet());
    }

    @Override
    public void close() {
        deleteTree(directory);
    }

    /** Deletes without following links; says so when something stays. */
    static void deleteTree(Path root) {
        try {
            Files.walkFileTree(root, new Deletion());
        } catch (IOException e) {
            log.warn("cannot delete {}: {}", root, e.toString());
        }
    }

    private static final class Deletion extends SimpleFileVisitor<Path> {
        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
            if (!Files.isDirectory(file)) return FileVisitResult.CONTINUE;
            // A directory that its maker closed to itself: open it, and go round once more.
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
            Files.walkFileTree(file, this);
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException e)
                throws IOException {
            Files.deleteIfExists(directory);
            return FileVisitResult.CONTINUE;
        }
    }
}
