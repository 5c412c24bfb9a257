package io.countersign.verification;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.RowMapper;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/**
 * A row of {@code verification} as far as it is shown; JSON columns as their text.
 *
 * @param graded whether it was handed to a grader
 * @param reruns the newest twenty verifications that repeat this one, newest first
 */
record VerificationRow(
        VerificationId id,
        String project,
        String status,
        String wiring,
        String requestedBy,
        @Nullable String producerId,
        @Nullable String producerModel,
        String dod,
        @Nullable String baseline,
        @Nullable String dodSha256,
        int run,
        boolean held,
        boolean graded,
        @Nullable String setup,
        @Nullable String changeSetSha256,
        @Nullable String treeSha256,
        @Nullable Boolean accepted,
        boolean pass,
        boolean skipped,
        @Nullable String method,
        @Nullable String cause,
        @Nullable String assurance,
        @Nullable String reasons,
        @Nullable String findings,
        @Nullable String evidence,
        @Nullable String forcingNote,
        @Nullable UUID rerunOf,
        List<UUID> reruns,
        Instant queuedAt,
        @Nullable Instant startedAt,
        @Nullable Instant completedAt) {
    static final String COLUMNS =
            "id, project, status, wiring, requested_by, producer_id, producer_model,"
                    + " dod::text AS dod, baseline::text AS baseline, dod_sha256, run, held,"
                    + " stage IS NOT NULL AS graded,"
                    + " setup::text AS setup, change_set_sha256, tree_sha256, accepted, pass,"
                    + " skipped, method, cause, assurance, reasons::text AS reasons,"
                    + " findings::text AS findings, evidence, forcing_note, rerun_of, queued_at,"
                    + " started_at, completed_at, ARRAY(SELECT r.id FROM verification r"
                    + " WHERE r.rerun_of = verification.id ORDER BY r.id DESC LIMIT 20) AS reruns";

    static final RowMapper<VerificationRow> MAPPER = (row, n) -> read(row);

    boolean concluded() {
        return completedAt != null;
    }

    private static VerificationRow read(ResultSet row) throws SQLException {
        return new VerificationRow(
                new VerificationId(row.getObject("id", UUID.class)),
                row.getString("project"),
                row.getString("status"),
                row.getString("wiring"),
                row.getString("requested_by"),
                row.getString("producer_id"),
                row.getString("producer_model"),
                row.getString("dod"),
                row.getString("baseline"),
                row.getString("dod_sha256"),
                row.getInt("run"),
                row.getBoolean("held"),
                row.getBoolean("graded"),
                row.getString("setup"),
                row.getString("change_set_sha256"),
                row.getString("tree_sha256"),
                row.getObject("accepted", Boolean.class),
                row.getBoolean("pass"),
                row.getBoolean("skipped"),
                row.getString("method"),
                row.getString("cause"),
                row.getString("assurance"),
                row.getString("reasons"),
                row.getString("findings"),
                row.getString("evidence"),
                row.getString("forcing_note"),
                row.getObject("rerun_of", UUID.class),
                List.of((UUID[]) row.getArray("reruns").getArray()),
                row.getTimestamp("queued_at").toInstant(),
                instant(row.getTimestamp("started_at")),
                instant(row.getTimestamp("completed_at")));
    }

    private static @Nullable Instant instant(@Nullable Timestamp time) {
        return time == null ? null : time.toInstant();
    }
}
