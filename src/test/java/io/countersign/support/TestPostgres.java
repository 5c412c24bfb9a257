package io.countersign.support;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.boot.SpringApplication;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.images.ImagePullPolicy;
import org.testcontainers.images.PullPolicy;
import org.testcontainers.postgresql.PostgreSQLContainer;
import org.testcontainers.utility.DockerImageName;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;

import javax.sql.DataSource;

/**
 * The one switch for Postgres in tests: a container where a Docker engine answers, the embedded
 * server elsewhere. One server serves the whole JVM; each user takes a {@linkplain #freshDatabase
 * fresh database} of its own.
 *
 * <p>{@code COUNTERSIGN_TEST_POSTGRES} forces {@code container} or {@code embedded}; {@code
 * COUNTERSIGN_TEST_POSTGRES_IMAGE} names a local image, which is then never pulled.
 */
public final class TestPostgres {
    private static final String OPTIONS = "-c fsync=off -c synchronous_commit=off";
    private static final String MAX_CONNECTIONS = "400";
    private static final AtomicInteger DATABASES = new AtomicInteger();

    private static @Nullable Server server;

    private TestPostgres() {}

    /**
     * A database that nobody else uses.
     *
     * @param url the JDBC address without credentials
     * @param port the server's port on {@code host}
     */
    public record Database(
            String url, String host, int port, String name, String user, String password) {
        public DataSource dataSource() {
            PGSimpleDataSource source = new PGSimpleDataSource();
            source.setUrl(url);
            source.setUser(user);
            source.setPassword(password);
            return source;
        }
    }

    private record Server(String host, int port, String user, String password) {
        Database database(String name) {
            return new Database(
                    "jdbc:postgresql://" + host + ":" + port + "/" + name,
                    host,
                    port,
                    name,
                    user,
                    password);
        }
    }

    /** Creates an empty database; the server starts with the first one. */
    public static Database freshDatabase() {
        Server running = server();
        String name = "test_" + DATABASES.incrementAndGet();
        try (var connection = running.database("postgres").dataSource().getConnection();
                var statement = connection.createStatement()) {
            statement.execute("CREATE DATABASE " + name);
        } catch (SQLException e) {
            throw new IllegalStateException("cannot create the test database " + name, e);
        }
        return running.database(name);
    }

    private static synchronized Server server() {
        Server running = server;
        if (running == null) {
            running = wantsContainer() ? startContainer() : startEmbedded();
            server = running;
        }
        return running;
    }

    private static boolean wantsContainer() {
        String forced = System.getenv("COUNTERSIGN_TEST_POSTGRES");
        if (forced == null || forced.isBlank() || forced.equals("auto")) {
            return DockerClientFactory.instance().isDockerAvailable();
        }
        return switch (forced) {
            case "container" -> true;
            case "embedded" -> false;
            default ->
                    throw new IllegalStateException(
                            "COUNTERSIGN_TEST_POSTGRES is auto, container or embedded, not "
                                    + forced);
        };
    }

    private static Server startContainer() {
        String local = System.getenv("COUNTERSIGN_TEST_POSTGRES_IMAGE");
        boolean given = local != null && !local.isBlank();
        ImagePullPolicy policy = given ? image -> false : PullPolicy.defaultPolicy();
        // Ryuk, or the engine's own --rm, removes the container when this JVM ends.
        @SuppressWarnings("resource")
        var container =
                new PostgreSQLContainer(
                                DockerImageName.parse(given ? local : "postgres:18")
                                        .asCompatibleSubstituteFor("postgres"))
                        .withImagePullPolicy(policy)
                        .withCommand(
                                "postgres " + OPTIONS + " -c max_connections=" + MAX_CONNECTIONS);
        container.start();
        SpringApplication.getShutdownHandlers().add(container::stop);
        Lanes.note("postgres", "container: " + container.getDockerImageName());
        return new Server(
                container.getHost(),
                container.getMappedPort(PostgreSQLContainer.POSTGRESQL_PORT),
                container.getUsername(),
                container.getPassword());
    }

    private static Server startEmbedded() {
        try {
            EmbeddedPostgres embedded =
                    EmbeddedPostgres.builder()
                            .setServerConfig("max_connections", MAX_CONNECTIONS)
                            .setRegisterShutdownHook(false)
                            .start();
            // Contexts close before these handlers run, so none of them loses its database.
            SpringApplication.getShutdownHandlers().add(() -> close(embedded));
            Lanes.note("postgres", "embedded: no Docker engine answers");
            return new Server("127.0.0.1", embedded.getPort(), "postgres", "postgres");
        } catch (IOException e) {
            throw new UncheckedIOException("the embedded Postgres does not start", e);
        }
    }

    private static void close(EmbeddedPostgres embedded) {
        try {
            embedded.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
