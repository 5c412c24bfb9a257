package io.countersign.artefact;

import com.zaxxer.hikari.HikariDataSource;

import io.countersign.kernel.ProjectId;
import io.countersign.support.TestPostgres;

import org.flywaydb.core.Flyway;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.util.unit.DataSize;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.stream.Stream;

import javax.sql.DataSource;

/** The module's parts on a database and a runs directory of their own, without the service. */
final class WorkspaceFixture implements AutoCloseable {
    static final ProjectId PROJECT = new ProjectId("acme/shop");
    static final long MAX_ARCHIVE = 4 << 20;

    final Path directory;
    final JdbcClient jdbc;
    final TransactionTemplate transactions;
    final RunsDirectory runs;
    final BlobStore blobs;
    final Workspaces workspaces;

    /** Migrated once; each fixture begins without blobs. */
    private static final class Database {
        static final DataSource SOURCE = migrated();

        private static DataSource migrated() {
            HikariDataSource source = new HikariDataSource();
            source.setDataSource(TestPostgres.freshDatabase().dataSource());
            Flyway.configure().dataSource(source).load().migrate();
            return source;
        }
    }

    private Instant now = Instant.parse("2026-01-01T00:00:00Z");

    WorkspaceFixture(Path directory, Path... mountRoots) {
        this(directory, OptionalInt.empty(), mountRoots);
    }

    WorkspaceFixture(Path directory, OptionalInt uid, Path... mountRoots) {
        this.directory = directory;
        DataSource source = Database.SOURCE;
        jdbc = JdbcClient.create(source);
        jdbc.sql("TRUNCATE blob CASCADE").update();
        DataSourceTransactionManager manager = new DataSourceTransactionManager(source);
        transactions = new TransactionTemplate(manager);
        WorkspaceProperties properties =
                new WorkspaceProperties(
                        directory,
                        List.of(mountRoots),
                        DataSize.ofBytes(MAX_ARCHIVE),
                        DataSize.ofMegabytes(64),
                        2_000,
                        200);
        runs = new RunsDirectory(directory, uid.isPresent(), UUID::randomUUID, this::now);
        blobs = new BlobStore(jdbc, manager, this::now, new BlobRetention(Duration.ofDays(7)));
        Materialiser materialiser =
                new Materialiser(
                        blobs,
                        runs,
                        new MountRoots(properties.mountRoots()),
                        properties.limits(),
                        FileOwner.of(uid));
        Uploads uploads =
                new Uploads(blobs, runs, properties.limits(), MAX_ARCHIVE, UUID::randomUUID);
        workspaces = new WorkspaceService(blobs, runs, uploads, materialiser, properties);
    }

    synchronized Instant now() {
        return now;
    }

    synchronized void pass(Duration time) {
        now = now.plus(time);
    }

    static WorkspaceRequest files(Map<String, ?> files) {
        Map<String, JsonNode> nodes = new LinkedHashMap<>();
        files.forEach((path, content) -> nodes.put(path, JsonMapper.shared().valueToTree(content)));
        return new WorkspaceRequest(nodes, null, null);
    }

    WorkspaceInput inline(Map<String, ?> files) {
        return workspaces.freeze(PROJECT, "/workspace", files(files));
    }

    Materialised materialise(WorkspaceInput input) {
        return materialise(input, new WorkspaceInput.None(), null, "");
    }

    Materialised materialise(
            WorkspaceInput input, WorkspaceInput base, List<DeclaredFile> declared, String cwd) {
        try {
            return workspaces.materialise(PROJECT, input, base, declared, cwd, UUID.randomUUID());
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    static PreparedWorkspace ready(Materialised materialised) {
        return switch (materialised) {
            case Materialised.Ready(PreparedWorkspace workspace) -> workspace;
            case Materialised.Refused refused -> throw new AssertionError(refused);
        };
    }

    /** What runs and uploads left in this process's directory. */
    List<Path> left() {
        return list(runs.own());
    }

    static List<Path> list(Path directory) {
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    int count(String table) {
        return jdbc.sql("SELECT count(*) FROM " + table).query(Integer.class).single();
    }

    @Override
    public void close() throws IOException {
        runs.close();
    }
}
