package io.countersign.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.util.FileSystemUtils;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;

class LocalPostgresIntegrationTests {
    /** A data directory made once; the tests begin with a copy, which saves each an initdb. */
    @TempDir static Path template;

    @TempDir Path temp;

    private Path directory;

    @BeforeAll
    static void makeTemplate() {
        LocalPostgres.start(template.resolve("data"), 0).close();
    }

    @BeforeEach
    void copyTemplate() throws IOException {
        directory = temp.resolve("with space");
        FileSystemUtils.copyRecursively(
                template.resolve("data/postgres"), directory.resolve("postgres"));
        Files.setPosixFilePermissions(
                directory.resolve("postgres"), PosixFilePermissions.fromString("rwx------"));
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
        Files.copy(template.resolve("data/password"), directory.resolve("password"));
        Files.createFile(directory.resolve("initialised"));
    }

    private LocalPostgres start() {
        return LocalPostgres.start(directory, 0, template.resolve("data/bin"));
    }

    @Test
    void keepsDataPortAndPasswordOverARestart() throws Exception {
        int port;
        try (LocalPostgres first = start()) {
            port = first.port();
            execute(first, "CREATE TABLE kept AS SELECT 42 AS answer");
        }
        try (LocalPostgres second = start()) {
            assertThat(second.port()).isEqualTo(port);
            assertThat(query(second, "SELECT answer FROM kept")).isEqualTo("42");
        }
    }

    @Test
    void isDurableLocalAndLocked() throws Exception {
        try (LocalPostgres postgres = start()) {
            assertThat(query(postgres, "SHOW fsync")).isEqualTo("on");
            assertThat(query(postgres, "SHOW synchronous_commit")).isEqualTo("on");
            assertThat(query(postgres, "SHOW full_page_writes")).isEqualTo("on");
            assertThat(query(postgres, "SHOW listen_addresses")).isEqualTo("127.0.0.1");

            assertThat(query(postgres, "SHOW server_version"))
                    .startsWith(Cluster.MAJOR_VERSION + ".");
            assertThat(query(postgres, "SELECT rolsuper FROM pg_roles WHERE rolname = user"))
                    .isEqualTo("f");
            assertThat(Files.getPosixFilePermissions(template.resolve("data/password")))
                    .isEqualTo(PosixFilePermissions.fromString("rw-------"));
            assertThat(Files.getPosixFilePermissions(template.resolve("data")))
                    .isEqualTo(PosixFilePermissions.fromString("rwx------"));
            assertThatThrownBy(
                            () ->
                                    DriverManager.getConnection(
                                            postgres.url(), postgres.user(), "wrong"))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("password authentication failed");
            assertThatThrownBy(this::start)
                    .isInstanceOf(LocalModeException.class)
                    .hasMessageContaining("Another Countersign (process ")
                    .hasMessageContaining("uses the data directory");
            assertThat(query(postgres, "SELECT 1")).isEqualTo("1");
        }
    }

    @Test
    void stopsThePostgresOfAKilledServiceAndKeepsItsData() throws Exception {
        Process service = startService(directory);
        String pid = readyPostmaster(service);
        assertThatThrownBy(this::start)
                .as("a second service while the first one runs")
                .hasMessageContaining(
                        "Another Countersign (process " + service.pid() + ") uses the data");
        String port = Files.readString(directory.resolve("port")).strip();
        service.destroyForcibly().waitFor();
        ProcessHandle orphan = ProcessHandle.of(Long.parseLong(pid)).orElseThrow();
        assertThat(orphan.isAlive())
                .as("the postmaster outlives a kill -9 of its service")
                .isTrue();

        try (LocalPostgres next = start()) {
            // Its command is gone although nobody may have collected the dead process yet.
            assertThat(orphan.info().command()).isEmpty();
            assertThat(Files.readString(directory.resolve("port")).strip()).isEqualTo(port);
            assertThat(query(next, "SELECT answer FROM kept")).isEqualTo("42");
        }
    }

    @Test
    void recoversWhenServiceAndPostgresWereKilled() throws Exception {
        Process service = startService(directory);
        ProcessHandle postmaster =
                ProcessHandle.of(Long.parseLong(readyPostmaster(service))).orElseThrow();
        service.destroyForcibly().waitFor();
        postmaster.destroyForcibly();
        postmaster.onExit().get(10, TimeUnit.SECONDS);

        try (LocalPostgres next = start()) {
            assertThat(query(next, "SELECT answer FROM kept")).isEqualTo("42");
        }
    }

    @Test
    void ignoresAPidFileWhoseNumberBelongsToAnotherProgram() throws Exception {
        Files.writeString(
                directory.resolve("postgres/postmaster.pid"),
                ProcessHandle.current().pid() + "\n" + directory.resolve("postgres") + "\n");
        try (LocalPostgres next = start()) {
            assertThat(query(next, "SELECT 1")).isEqualTo("1");
        }
        assertThat(ProcessHandle.current().isAlive()).isTrue();
    }

    @Test
    void beginsAgainWhenTheFirstInitialisationWasCutOff() throws Exception {
        Files.delete(directory.resolve("initialised"));
        Files.delete(directory.resolve("postgres/PG_VERSION"));
        try (LocalPostgres postgres = start()) {
            assertThat(query(postgres, "SELECT 1")).isEqualTo("1");
        }
    }

    @Test
    void saysWhichVersionMadeAnotherMajorsData() throws Exception {
        Files.writeString(directory.resolve("postgres/PG_VERSION"), "16\n");
        assertThatThrownBy(this::start)
                .isInstanceOf(LocalModeException.class)
                .hasMessageContaining("was made by PostgreSQL 16; this Countersign carries")
                .extracting(e -> ((LocalModeException) e).action())
                .asString()
                .contains("pg_dump");
    }

    @Test
    void refusesADamagedClusterAndSaysWhatIsWrong() throws Exception {
        Path control = directory.resolve("postgres/global/pg_control");
        Files.write(control, new byte[64]);
        assertThatThrownBy(this::start)
                .isInstanceOf(LocalModeException.class)
                .hasMessageContaining("PostgreSQL does not run on")
                .hasMessageContaining("pg_control");
        Files.delete(directory.resolve("postgres/PG_VERSION"));
        assertThatThrownBy(this::start).hasMessageContaining("is damaged");
        assertThat(control).as("damaged data is never thrown away").exists();
    }

    @Test
    void takesAnotherPortWhenTheKeptOneIsTaken() throws Exception {
        int port;
        try (LocalPostgres first = start()) {
            port = first.port();
        }
        try (ServerSocket squatter = new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
                LocalPostgres next = start()) {
            assertThat(next.port()).isNotEqualTo(squatter.getLocalPort());
        }
    }

    /** A service to kill: it starts PostgreSQL, commits a row, prints the postmaster and waits. */
    static final class Service {
        public static void main(String[] args) throws Exception {
            LocalPostgres postgres = LocalPostgres.start(Path.of(args[0]), 0, Path.of(args[1]));
            execute(postgres, "CREATE TABLE kept AS SELECT 42 AS answer");
            try (Connection open = connect(postgres);
                    var statement = open.createStatement()) {
                statement.execute("BEGIN");
                statement.execute("INSERT INTO kept VALUES (43)");
                System.out.println(
                        "postmaster "
                                + Files.readAllLines(Path.of(args[0], "postgres/postmaster.pid"))
                                        .getFirst());
                Thread.currentThread().join();
            }
        }
    }

    private static Process startService(Path directory) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Service.class.getName(),
                        directory.toString(),
                        template.resolve("data/bin").toString())
                .redirectErrorStream(true)
                .start();
    }

    private static String readyPostmaster(Process service) throws IOException {
        var reader = service.inputReader();
        StringBuilder seen = new StringBuilder();
        for (String line = reader.readLine(); line != null; line = reader.readLine()) {
            if (line.startsWith("postmaster ")) {
                return line.substring("postmaster ".length());
            }
            seen.append(line).append('\n');
        }
        throw new AssertionError("the service ended early:\n" + seen);
    }

    private static Connection connect(LocalPostgres postgres) throws SQLException {
        return DriverManager.getConnection(postgres.url(), postgres.user(), postgres.password());
    }

    private static void execute(LocalPostgres postgres, String sql) throws SQLException {
        try (Connection connection = connect(postgres);
                var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static String query(LocalPostgres postgres, String sql) throws SQLException {
        try (Connection connection = connect(postgres);
                var statement = connection.createStatement();
                var rows = statement.executeQuery(sql)) {
            assertThat(rows.next()).isTrue();
            return rows.getString(1);
        }
    }
}
