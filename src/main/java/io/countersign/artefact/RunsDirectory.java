package io.countersign.artefact;

import io.countersign.kernel.Ids;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/**
 * The directory of runs and uploads. Each service process has a directory of its own in it, with a
 * lock file beside it that the kernel unlocks when the process ends, however it ends. That is how a
 * sweep tells the dead from the living, across containers of one host too.
 */
final class RunsDirectory implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(RunsDirectory.class);
    private static final String KEY = "countersign.workspaces.directory";
    private static final String LOCK = ".lock";
    private static final Pattern NAME =
            Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

    /** Others may pass through, since sandboxed commands run as another user, but not look. */
    private static final int TRAVERSABLE = 0711;

    private static final int PRIVATE = 0700;

    /** A lock file without a directory may belong to a process that is just starting. */
    private static final Duration YOUNG = Duration.ofHours(1);

    /** Closing any channel of a lock file drops the JVM's locks on it: never open these again. */
    private static final Set<Path> OF_THIS_JVM = ConcurrentHashMap.newKeySet();

    private final InstantSource clock;
    private final Path root;
    private final Path own;
    private final FileChannel lock;
    private final Set<Path> live = ConcurrentHashMap.newKeySet();

    /**
     * @param shared whether sandboxed commands run as another user, who has to get there
     * @throws IllegalStateException when the directory cannot be used, naming the setting
     */
    RunsDirectory(Path configured, boolean shared, Ids ids, InstantSource clock) {
        this.clock = clock;
        try {
            this.root = usable(configured, shared);
            this.own = root.resolve(ids.next().toString());
            OF_THIS_JVM.add(own);
            this.lock =
                    FileChannel.open(
                            lockOf(own), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
            if (lock.tryLock() == null) {
                throw new IllegalStateException(KEY + ": cannot lock files in " + root);
            }
            Files.createDirectory(own);
            FileOwner.service().take(own, TRAVERSABLE);
        } catch (IOException e) {
            throw new IllegalStateException(KEY + ": cannot use " + configured + ": " + e, e);
        }
    }

    private static Path usable(Path configured, boolean shared) throws IOException {
        if (!Files.exists(configured, LinkOption.NOFOLLOW_LINKS)) {
            Files.createDirectories(configured);
            FileOwner.service().take(configured, TRAVERSABLE);
        }
        if (!Files.isDirectory(configured, LinkOption.NOFOLLOW_LINKS)) {
            throw new IllegalStateException(
                    KEY + ": " + configured + " must be a directory and no symlink");
        }
        Path root = configured.toRealPath();
        if (!FileOwner.UNIX) {
            return root;
        }
        if (permits(root, PosixFilePermission.GROUP_WRITE)
                || permits(root, PosixFilePermission.OTHERS_WRITE)
                || !Files.isWritable(root)) {
            throw new IllegalStateException(
                    KEY + ": " + root + " must be writable by the service's user and nobody else");
        }
        for (Path at = root; shared && at != null; at = at.getParent()) {
            if (!permits(at, PosixFilePermission.OTHERS_EXECUTE)) {
                throw new IllegalStateException(
                        KEY
                                + ": sandboxed commands run as another user, who cannot pass"
                                + " through "
                                + at
                                + " (chmod o+x)");
            }
        }
        return root;
    }

    private static boolean permits(Path directory, PosixFilePermission permission)
            throws IOException {
        return Files.getPosixFilePermissions(directory).contains(permission);
    }

    private static Path lockOf(Path directory) {
        return directory.resolveSibling(directory.getFileName() + LOCK);
    }

    /**
     * Makes the directory of a run.
     *
     * @throws IOException also when the run has one already
     */
    Path createRun(UUID id) throws IOException {
        Path run = own.resolve(id.toString());
        if (!live.add(run)) {
            throw new FileAlreadyExistsException(run.toString());
        }
        try {
            Files.createDirectory(run);
            FileOwner.service().take(run, TRAVERSABLE);
        } catch (IOException e) {
            delete(run);
            throw e;
        }
        return run;
    }

    /** A file that does not exist yet, for bytes that pass through; {@link #delete} removes it. */
    Path newFile(UUID id) {
        Path file = own.resolve(id + ".part");
        live.add(file);
        return file;
    }

    /** Makes the directory for parts of requests that are too large for memory. */
    Path parts() throws IOException {
        Path parts = Files.createDirectories(own.resolve("parts"));
        FileOwner.service().take(parts, PRIVATE);
        return parts;
    }

    /** Where this process may put what it unpacks for itself. */
    Path own() {
        return own;
    }

    /** Deletes a run or a file; what cannot be deleted now is left to the sweep. */
    void delete(Path path) {
        try {
            if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
                DirectoryDeletion.delete(path);
            } else {
                Files.deleteIfExists(path);
            }
        } catch (IOException e) {
            log.warn("cannot delete {} yet, the next sweep tries again", path, e);
        } finally {
            live.remove(path);
        }
    }

    /** Deletes what dead processes left, and what this one could not delete before. */
    void sweep() {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(root)) {
            for (Path entry : entries) {
                boolean directory = Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS);
                if (directory && !OF_THIS_JVM.contains(entry)) {
                    sweepDirectory(entry);
                } else if (!directory) {
                    sweepLock(entry);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot sweep the runs directory", e);
        }
        sweepOwn();
    }

    private void sweepDirectory(Path directory) throws IOException {
        Path lockFile = lockOf(directory);
        try (FileChannel channel = FileChannel.open(lockFile, StandardOpenOption.WRITE)) {
            FileLock taken = channel.tryLock();
            if (taken == null) {
                return; // its process lives
            }
            log.info("removing {}, which a dead process left", directory);
            DirectoryDeletion.delete(directory);
            Files.deleteIfExists(lockFile);
        } catch (NoSuchFileException e) {
            DirectoryDeletion.delete(directory);
        } catch (OverlappingFileLockException e) {
            // Another sweep of this process is at it.
        }
    }

    private void sweepLock(Path file) throws IOException {
        String name = file.getFileName().toString();
        Path directory =
                file.resolveSibling(name.substring(0, Math.max(0, name.length() - LOCK.length())));
        if (name.endsWith(LOCK)
                && !OF_THIS_JVM.contains(directory)
                && !Files.exists(directory, LinkOption.NOFOLLOW_LINKS)
                && isOld(file)) {
            Files.deleteIfExists(file);
        }
    }

    private boolean isOld(Path file) {
        try {
            Instant changed =
                    Files.getLastModifiedTime(file, LinkOption.NOFOLLOW_LINKS).toInstant();
            return changed.isBefore(clock.instant().minus(YOUNG));
        } catch (IOException e) {
            return false;
        }
    }

    private void sweepOwn() {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(own)) {
            for (Path entry : entries) {
                String name = entry.getFileName().toString();
                int tilde = name.indexOf('~');
                Path owner = tilde < 0 ? entry : own.resolve(name.substring(0, tilde));
                if (NAME.matcher(name).lookingAt() && !live.contains(owner)) {
                    delete(entry);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot sweep the runs directory", e);
        }
    }

    /** Removes this process's directory; runs have ended by then. */
    @Override
    public void close() throws IOException {
        DirectoryDeletion.delete(own);
        Files.deleteIfExists(lockOf(own));
        lock.close();
        OF_THIS_JVM.remove(own);
    }
}
