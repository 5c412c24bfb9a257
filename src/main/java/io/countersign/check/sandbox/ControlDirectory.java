package io.countersign.check.sandbox;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.io.UncheckedIOException;
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

    private final Path directory;
    private final AtomicLong runs = new AtomicLong();

    private ControlDirectory(Path directory) {
        this.directory = directory;
    }

    static ControlDirectory create() {
        try {
            Path directory = Files.createTempDirectory("countersign-sandbox-");
            Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx--x--x"));
            return new ControlDirectory(directory);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot create a directory for the sandbox", e);
        }
    }

    /** A file that every run sees. */
    Path setting(String name, String content) {
        try {
            Path file = Files.writeString(directory.resolve(name), content);
            return Files.setPosixFilePermissions(
                    file, PosixFilePermissions.fromString("rw-r--r--"));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + name + " for the sandbox", e);
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
