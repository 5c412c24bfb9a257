package io.countersign.local;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.util.FileSystemUtils;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The PostgreSQL cluster of a data directory: made, started and stopped by its own programs. */
final class Cluster {
    /** The major version of the programs that this build carries. */
    static final String MAJOR_VERSION = "18";

    static final String SUPERUSER = "postgres";

    private static final Logger LOG = LoggerFactory.getLogger(Cluster.class);
    private static final Duration INIT_LIMIT = Duration.ofMinutes(3);
    // Crash recovery replays the log first.
    private static final Duration START_LIMIT = Duration.ofMinutes(5);
    private static final Duration STOP_LIMIT = Duration.ofSeconds(20);
    private static final long LOG_LIMIT = 10L << 20;
    private static final String SETTINGS =
            """
            # Written by Countersign at every start.
            listen_addresses = '127.0.0.1'
            unix_socket_directories = ''
            fsync = on
            synchronous_commit = on
            full_page_writes = on
            max_connections = 100
            timezone = 'UTC'
            log_timezone = 'UTC'
            """;

    private final DataDirectory directory;
    private final PostgresPrograms programs;

    Cluster(DataDirectory directory, PostgresPrograms programs) {
        this.directory = directory;
        this.programs = programs;
    }

    /**
     * Starts it, making it first when there is none.
     *
     * @throws LocalModeException when another version made it, or it is damaged
     */
    void start(int port) throws IOException {
        if (directory.isInitialised()) {
            demandOurVersion();
        } else {
            initialise();
        }
        writeSettings();
        control(START_LIMIT, "start", "-l", directory.log().toString(), "-o", "-p " + port);
    }

    /** Stops the one that a killed service left behind. */
    void stopOrphan() throws IOException {
        Optional<ProcessHandle> orphan = directory.postmaster();
        if (orphan.isPresent()) {
            LOG.info(
                    "stopping PostgreSQL {}, left by a service that was killed",
                    orphan.get().pid());
            stop();
        }
    }

    /** Ends it at once if it does not end in time; the next start then recovers from its log. */
    void stop() throws IOException {
        try {
            control(STOP_LIMIT, "stop", "-m", "fast");
        } catch (LocalModeException e) {
            LOG.warn(
                    "PostgreSQL did not stop in {} s, stopping it at once", STOP_LIMIT.toSeconds());
            control(STOP_LIMIT, "stop", "-m", "immediate");
        }
    }

    /** A cluster that a crash left half made holds no data yet: it is made anew. */
    private void initialise() throws IOException {
        FileSystemUtils.deleteRecursively(directory.cluster());
        int exit =
                programs.run(
                        directory.log(),
                        INIT_LIMIT,
                        "initdb",
                        List.of(
                                "--pgdata=" + directory.cluster(),
                                "--username=" + SUPERUSER,
                                "--pwfile=" + directory.passwordFile(),
                                "--auth=scram-sha-256",
                                "--encoding=UTF8",
                                "--locale-provider=builtin",
                                "--builtin-locale=C.UTF-8",
                                "--locale=C"));
        if (exit != 0) {
            throw failure("initdb exited with " + exit);
        }
    }

    private void demandOurVersion() throws IOException {
        Path cluster = directory.cluster();
        Path versionFile = cluster.resolve("PG_VERSION");
        if (!Files.exists(versionFile) || !Files.exists(cluster.resolve("postgresql.conf"))) {
            throw new LocalModeException(
                    cluster + " is damaged: files of the PostgreSQL cluster are missing.",
                    "Restore the data directory from a backup; or, to start empty, move it away.");
        }
        String version = Files.readString(versionFile).strip();
        if (!version.equals(MAJOR_VERSION)) {
            throw new LocalModeException(
                    "%s was made by PostgreSQL %s; this Countersign carries PostgreSQL %s."
                            .formatted(cluster, version, MAJOR_VERSION),
                    "Dump it with the Countersign that made it (pg_dump) and restore the dump here"
                            + " (docs/operations.md, Upgrading); or move the directory away.");
        }
    }

    private void writeSettings() throws IOException {
        Path cluster = directory.cluster();
        Files.writeString(cluster.resolve("countersign.conf"), SETTINGS);
        Path main = cluster.resolve("postgresql.conf");
        String include = "include 'countersign.conf'";
        String text = Files.readString(main);
        if (!text.contains(include)) {
            Files.writeString(main, text + "\n" + include + "\n");
        }
        if (Files.exists(directory.log()) && Files.size(directory.log()) > LOG_LIMIT) {
            Files.delete(directory.log());
        }
    }

    /** Lets {@code pg_ctl} start or stop the server and waits until it has. */
    private void control(Duration limit, String action, String... options) throws IOException {
        List<String> arguments =
                new ArrayList<>(
                        List.of(
                                action,
                                "-D",
                                directory.cluster().toString(),
                                "-w",
                                "-t",
                                String.valueOf(limit.toSeconds())));
        arguments.addAll(List.of(options));
        int exit = programs.run(directory.log(), limit.plusSeconds(5), "pg_ctl", arguments);
        if (exit != 0) {
            throw failure("pg_ctl " + action + " exited with " + exit);
        }
    }

    private LocalModeException failure(String what) {
        return new LocalModeException(
                "PostgreSQL does not run on %s: %s\n%s"
                        .formatted(directory.cluster(), what, directory.logTail()),
                "Its log is %s. Mend what it names, restore the data directory from a backup, move it"
                                .formatted(directory.log())
                        + " away to start empty, or use a server of your own: set"
                        + " spring.datasource.url.");
    }
}
