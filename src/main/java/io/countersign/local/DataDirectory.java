package io.countersign.local;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The directory of local mode, held by one service at a time: {@code postgres/} (the cluster),
 * {@code bin/} (its programs), {@code password}, {@code port}, {@code postgres.log}, {@code lock}.
 */
final class DataDirectory implements AutoCloseable {
    // Closing any channel of a file drops this process's POSIX locks on it: never open one twice.
    private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();
    private static final int LOG_TAIL_LINES = 8;

    private final Path root;
    private final FileChannel channel;

    private DataDirectory(Path root, FileChannel channel) {
        this.root = root;
        this.channel = channel;
    }

    /**
     * Takes the directory, creating it when it is absent.
     *
     * @throws LocalModeException when another service holds it, or it cannot be written
     */
    static DataDirectory take(Path root) {
        try {
            createPrivate(root);
            Path real = root.toRealPath();
            if (!HELD.add(real)) {
                throw inUse(real);
            }
            try {
                return new DataDirectory(real, lock(real));
            } catch (IOException | RuntimeException e) {
                HELD.remove(real);
                throw e;
            }
        } catch (IOException e) {
            throw new LocalModeException(
                    "The data directory " + root + " cannot be used: " + e.getMessage(),
                    "Make it writable, or choose another with countersign.local.data-dir.",
                    e);
        }
    }

    private static FileChannel lock(Path root) throws IOException {
        FileChannel channel =
                FileChannel.open(
                        root.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock lock = channel.tryLock();
        if (lock == null) {
            channel.close();
            throw inUse(root);
        }
        Files.writeString(root.resolve("owner"), ProcessHandle.current().pid() + "\n");
        return channel;
    }

    private static LocalModeException inUse(Path root) {
        String owner;
        try {
            owner = " (process " + Files.readString(root.resolve("owner")).strip() + ")";
        } catch (IOException e) {
            owner = "";
        }
        return new LocalModeException(
                "Another Countersign" + owner + " uses the data directory " + root + ".",
                "Stop that one, or give this one a directory of its own:"
                        + " --countersign.local.data-dir=<directory> (and --server.port=<port>).");
    }

    Path cluster() {
        return root.resolve("postgres");
    }

    Path log() {
        return root.resolve("postgres.log");
    }

    Path passwordFile() {
        return root.resolve("password");
    }

    /** The database password: random, written once, readable by the owner alone. */
    String password() throws IOException {
        Path file = passwordFile();
        if (!Files.exists(file)) {
            byte[] secret = new byte[24];
            new SecureRandom().nextBytes(secret);
            if (isPosix(root)) {
                Files.createFile(file, ownerOnly("rw-------"));
            }
            Files.writeString(file, HexFormat.of().formatHex(secret) + "\n");
        }
        return Files.readString(file).strip();
    }

    /**
     * The port to listen on: the wished one, else the kept one while it is free, else a new one.
     */
    int port(int wished) throws IOException {
        Path file = root.resolve("port");
        if (wished != 0) {
            return wished;
        }
        if (Files.exists(file)) {
            int kept = Integer.parseInt(Files.readString(file).strip());
            if (isFree(kept)) {
                return kept;
            }
        }
        int fresh = freePort();
        Files.writeString(file, fresh + "\n");
        return fresh;
    }

    /**
     * Whether the cluster was completely made. One that a crash left half made holds no data yet.
     */
    boolean isInitialised() {
        return Files.exists(root.resolve("initialised"));
    }

    void markInitialised() throws IOException {
        Files.writeString(root.resolve("initialised"), "");
    }

    /**
     * The PostgreSQL that runs on the cluster, if one does. A {@code postmaster.pid} whose process
     * is plainly another program (the number was given out again after a reboot) is removed; when
     * in doubt it stays, and PostgreSQL itself refuses to start beside it.
     */
    Optional<ProcessHandle> postmaster() throws IOException {
        Path file = cluster().resolve("postmaster.pid");
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        String pid = Files.readAllLines(file).stream().findFirst().orElse("").strip();
        Optional<ProcessHandle> process =
                pid.matches("\\d{1,18}") ? ProcessHandle.of(Long.parseLong(pid)) : Optional.empty();
        Optional<String> program = process.flatMap(p -> p.info().command());
        if (program.isPresent() && !program.get().matches(".*postgres(\\.exe)?( \\(deleted\\))?")) {
            Files.delete(file);
            return Optional.empty();
        }
        return process;
    }

    /** The last lines of PostgreSQL's log, for a message. */
    String logTail() {
        try {
            List<String> lines = Files.readAllLines(log());
            return String.join(
                    "\n", lines.subList(Math.max(0, lines.size() - LOG_TAIL_LINES), lines.size()));
        } catch (IOException e) {
            return "(no log: " + e.getMessage() + ")";
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            HELD.remove(root);
        }
    }

    private static void createPrivate(Path directory) throws IOException {
        if (Files.isDirectory(directory)) {
            return;
        }
        Path parent = directory.toAbsolutePath().getParent();
        if (parent != null) {
            Files.createDirectories(parent);
        }
        if (isPosix(directory)) {
            Files.createDirectory(directory, ownerOnly("rwx------"));
        } else {
            Files.createDirectory(directory);
        }
    }

    private static boolean isPosix(Path path) {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix");
    }

    private static FileAttribute<?> ownerOnly(String permissions) {
        return PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions));
    }

    private static boolean isFree(int port) {
        try (var socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException e) {
            return false;
        }
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
