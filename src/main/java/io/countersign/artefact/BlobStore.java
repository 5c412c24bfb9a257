package io.countersign.artefact;

import io.countersign.artefact.Archives.Format;
import io.countersign.kernel.ProjectId;
import io.countersign.kernel.Sha256;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

/** Blobs in Postgres. Nothing of a blob is visible before all of it is there. */
@Repository
class BlobStore implements Blobs {
    private static final int CHUNK = 1 << 20;
    private static final int DELETE_BATCH = 50;

    /**
     * An extension goes this much further than it has to, so that a blob in steady use is written
     * once an hour and not by every verification.
     */
    private static final Duration SLACK = Duration.ofHours(1);

    private final JdbcClient jdbc;
    private final TransactionTemplate transactions;
    private final InstantSource clock;
    private final Duration retention;

    BlobStore(
            JdbcClient jdbc,
            PlatformTransactionManager transactions,
            InstantSource clock,
            BlobRetention retention) {
        this.jdbc = jdbc;
        this.transactions = new TransactionTemplate(transactions);
        this.clock = clock;
        this.retention = retention.blobs();
    }

    /**
     * What is known of a blob.
     *
     * @param content all of it, or null when it stands in chunks
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Blob(Format format, long bytes, int files, byte @Nullable [] content) {}

    /**
     * Stores content that fits into one row, or keeps alive what is there already: one statement,
     * which takes no lock when the blob was used within the last hour.
     */
    void put(ProjectId project, Sha256 sha256, Format format, int files, byte[] content) {
        Instant now = clock.instant();
        Instant needed = now.plus(retention);
        jdbc.sql(
                        """
                        WITH present AS (
                            SELECT 1 FROM blob
                            WHERE project = :project AND sha256 = :sha256 AND expires_at >= :needed)
                        INSERT INTO blob
                            (project, sha256, format, bytes, files, content, created_at, expires_at)
                        SELECT :project, :sha256, :format, :bytes, :files, :content, :now, :expires
                        WHERE NOT EXISTS (SELECT FROM present)
                        ON CONFLICT (project, sha256) DO UPDATE
                            SET expires_at = greatest(blob.expires_at, excluded.expires_at)
                        """)
                .param("project", project.value())
                .param("sha256", sha256.hex())
                .param("format", format.wire())
                .param("bytes", (long) content.length)
                .param("files", files)
                .param("content", content)
                .param("now", Timestamp.from(now))
                .param("needed", Timestamp.from(needed))
                .param("expires", Timestamp.from(needed.plus(SLACK)))
                .update();
    }

    /**
     * Stores a file in a transaction of its own.
     *
     * @throws UncheckedIOException when the file cannot be read; nothing is stored then
     */
    void put(ProjectId project, Sha256 sha256, Format format, int files, Path file) {
        try {
            if (Files.size(file) <= CHUNK) {
                put(project, sha256, format, files, Files.readAllBytes(file));
            } else {
                transactions.executeWithoutResult(
                        status -> putChunks(project, sha256, format, files, file));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the upload back", e);
        }
    }

    private void putChunks(ProjectId project, Sha256 sha256, Format format, int files, Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            Instant now = clock.instant();
            int inserted =
                    jdbc.sql(
                                    """
                                    INSERT INTO blob
                                        (project, sha256, format, bytes, files, created_at, expires_at)
                                    VALUES (?, ?, ?, ?, ?, ?, ?)
                                    ON CONFLICT (project, sha256) DO NOTHING
                                    """)
                            .params(
                                    project.value(),
                                    sha256.hex(),
                                    format.wire(),
                                    Files.size(file),
                                    files,
                                    Timestamp.from(now),
                                    Timestamp.from(now.plus(retention).plus(SLACK)))
                            .update();
            if (inserted == 0) {
                retainUntil(project, sha256, now.plus(retention));
                return;
            }
            byte[] chunk = in.readNBytes(CHUNK);
            for (int seq = 0; chunk.length > 0; seq++) {
                jdbc.sql("INSERT INTO blob_chunk VALUES (?, ?, ?, ?)")
                        .params(project.value(), sha256.hex(), seq, chunk)
                        .update();
                chunk = in.readNBytes(CHUNK);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the upload back", e);
        }
    }

    /** What is known of a blob, with its content when that stands in one row. */
    Optional<Blob> find(ProjectId project, Sha256 sha256) {
        return jdbc.sql(
                        """
                        SELECT format, bytes, files, content FROM blob
                        WHERE project = ? AND sha256 = ?
                        """)
                .params(project.value(), sha256.hex())
                .query(
                        (row, n) ->
                                new Blob(
                                        Format.ofWire(row.getString(1)),
                                        row.getLong(2),
                                        row.getInt(3),
                                        row.getBytes(4)))
                .optional();
    }

    /** How many files a blob that is there unpacks to. */
    int files(ProjectId project, Sha256 sha256) {
        return jdbc.sql("SELECT files FROM blob WHERE project = ? AND sha256 = ?")
                .params(project.value(), sha256.hex())
                .query(Integer.class)
                .single();
    }

    /** The chunks of a blob, one query each: no transaction stays open while they are unpacked. */
    InputStream chunks(ProjectId project, Sha256 sha256, long bytes) {
        return new ChunkStream(
                seq ->
                        jdbc.sql(
                                        """
                                        SELECT content FROM blob_chunk
                                        WHERE project = ? AND sha256 = ? AND seq = ?
                                        """)
                                .params(project.value(), sha256.hex(), seq)
                                .query(byte[].class)
                                .optional(),
                bytes);
    }

    /**
     * Keeps a blob for the time of retention from now on.
     *
     * @return false when there is none
     */
    boolean touch(ProjectId project, Sha256 sha256) {
        return retainUntil(project, sha256, clock.instant().plus(retention));
    }

    @Override
    public boolean retainUntil(ProjectId project, Sha256 sha256, Instant until) {
        Optional<Instant> expires =
                jdbc.sql("SELECT expires_at FROM blob WHERE project = ? AND sha256 = ?")
                        .params(project.value(), sha256.hex())
                        .query((row, n) -> row.getTimestamp(1).toInstant())
                        .optional();
        if (expires.isEmpty() || !expires.get().isBefore(until)) {
            return expires.isPresent();
        }
        int updated =
                jdbc.sql(
                                """
                                UPDATE blob SET expires_at = greatest(expires_at, ?)
                                WHERE project = ? AND sha256 = ?
                                """)
                        .params(Timestamp.from(until.plus(SLACK)), project.value(), sha256.hex())
                        .update();
        return updated > 0;
    }

    @Override
    public int deleteExpired() {
        int all = 0;
        int deleted;
        do {
            deleted =
                    jdbc.sql(
                                    """
                                    DELETE FROM blob WHERE (project, sha256) IN (
                                        SELECT project, sha256 FROM blob WHERE expires_at < ?
                                        ORDER BY expires_at LIMIT ? FOR UPDATE SKIP LOCKED)
                                    """)
                            .params(Timestamp.from(clock.instant()), DELETE_BATCH)
                            .update();
            all += deleted;
        } while (deleted == DELETE_BATCH);
        return all;
    }
}
