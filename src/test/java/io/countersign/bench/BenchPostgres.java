package io.countersign.bench;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

import java.io.BufferedReader;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One PostgreSQL for a whole benchmark, as durable as a production one: fsync is on. */
final class BenchPostgres implements AutoCloseable {
    private static final Pattern TPS = Pattern.compile("tps = ([0-9.]+)");

    private final EmbeddedPostgres server;

    private BenchPostgres(EmbeddedPostgres server) {
        this.server = server;
    }

    static BenchPostgres start() throws IOException {
        return new BenchPostgres(
                EmbeddedPostgres.builder()
                        .setServerConfig("fsync", "on")
                        .setServerConfig("synchronous_commit", "on")
                        .setServerConfig("full_page_writes", "on")
                        .setServerConfig("shared_buffers", "256MB")
                        .setServerConfig("max_connections", "300")
                        .start());
    }

    String url() {
        return server.getJdbcUrl("postgres", "postgres");
    }

    void sql(String... statements) throws SQLException {
        try (Connection connection = server.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            for (String sql : statements) statement.execute(sql);
        }
    }

    String value(String sql) throws SQLException {
        try (Connection connection = server.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement();
                var row = statement.executeQuery(sql)) {
            row.next();
            return row.getString(1);
        }
    }

    /**
     * Transactions per second of pgbench on this server; empty when pgbench is not installed.
     *
     * @param clients concurrent connections
     */
    OptionalDouble pgbench(int clients, int seconds, String... arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("pgbench", "-n"));
        command.addAll(List.of(arguments));
        command.addAll(List.of("-c", "" + clients, "-j", "2", "-T", "" + seconds));
        String output = run(command);
        Matcher tps = TPS.matcher(output == null ? "" : output);
        return tps.find()
                ? OptionalDouble.of(Double.parseDouble(tps.group(1)))
                : OptionalDouble.empty();
    }

    /** Creates pgbench's own tables. */
    void pgbenchTables() throws IOException, InterruptedException {
        run(new ArrayList<>(List.of("pgbench", "-i", "-q", "-s", "10")));
    }

    private String run(List<String> command) throws IOException, InterruptedException {
        command.addAll(
                List.of(
                        "-h",
                        "127.0.0.1",
                        "-p",
                        "" + server.getPort(),
                        "-U",
                        "postgres",
                        "postgres"));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("PGPASSWORD", "postgres");
        Process process;
        try {
            process = builder.start();
        } catch (IOException e) {
            return null;
        }
        try (BufferedReader reader = process.inputReader()) {
            String output = String.join("\n", reader.lines().toList());
            process.waitFor();
            return output;
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
