package io.countersign.local;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;

/**
 * The PostgreSQL of local mode: durable, on 127.0.0.1 alone, with a random password, kept in a
 * {@link DataDirectory}. Starting it stops one that a killed service left behind.
 */
final class LocalPostgres implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LocalPostgres.class);
    private static final String NAME = "countersign";

    private final DataDirectory directory;
    private final Cluster cluster;
    private final String password;
    private final int port;

    private LocalPostgres(DataDirectory directory, Cluster cluster, String password, int port) {
        this.directory = directory;
        this.cluster = cluster;
        this.password = password;
        this.port = port;
    }

    /**
     * Starts it on the directory.
     *
     * @param wishedPort 0 keeps the port of the last start while that is free
     * @throws LocalModeException when the directory is held, or its cluster cannot be run
     */
    static LocalPostgres start(Path dataDir, int wishedPort) {
        return start(dataDir, wishedPort, dataDir.resolve("bin"));
    }

    /** The same with the programs in a directory of their own. */
    static LocalPostgres start(Path dataDir, int wishedPort, Path programs) {
        DataDirectory directory = DataDirectory.take(dataDir);
        try {
            Cluster cluster = new Cluster(directory, PostgresPrograms.unpack(programs));
            cluster.stopOrphan();
            // Only now: an orphan holds the port that is kept.
            int port = directory.port(wishedPort);
            String password = directory.password();
            cluster.start(port);
            LocalPostgres postgres = new LocalPostgres(directory, cluster, password, port);
            postgres.complete();
            return postgres;
        } catch (IOException e) {
            directory.close();
            throw new LocalModeException(
                    "Local mode cannot use " + dataDir + ": " + e.getMessage(),
                    "Make it writable and see that the disk has room, or choose another with"
                            + " countersign.local.data-dir.",
                    e);
        } catch (RuntimeException e) {
            directory.close();
            throw e;
        }
    }

    private void complete() throws IOException {
        try {
            createDatabase();
            directory.markInitialised();
        } catch (SQLException e) {
            cluster.stop();
            throw new LocalModeException(
                    "PostgreSQL on " + directory.cluster() + " refuses: " + e.getMessage(),
                    "Its log is " + directory.log() + ".",
                    e);
        }
        LOG.info("PostgreSQL keeps its data in {}, port {}", directory.cluster(), port);
    }

    /** The service's own role is no superuser: it can read no file and run no program. */
    private void createDatabase() throws SQLException {
        try (Connection connection =
                        DriverManager.getConnection(
                                url(Cluster.SUPERUSER), Cluster.SUPERUSER, password);
                var statement = connection.createStatement()) {
            try (var roles =
                    statement.executeQuery(
                            "SELECT 1 FROM pg_roles WHERE rolname = '" + NAME + "'")) {
                if (roles.next()) {
                    return;
                }
            }
            statement.execute("CREATE ROLE " + NAME + " LOGIN PASSWORD '" + password + "'");
            statement.execute("CREATE DATABASE " + NAME + " OWNER " + NAME);
        }
    }

    String url() {
        return url(NAME);
    }

    private String url(String database) {
        return "jdbc:postgresql://127.0.0.1:" + port + "/" + database;
    }

    String user() {
        return NAME;
    }

    String password() {
        return password;
    }

    int port() {
        return port;
    }

    @Override
    public void close() {
        try {
            cluster.stop();
        } catch (IOException | LocalModeException e) {
            LOG.warn("PostgreSQL did not stop; the next start will stop it", e);
        } finally {
            directory.close();
        }
    }
}
