package io.countersign.verification;

import io.countersign.artefact.ChangeSet;
import io.countersign.artefact.ChangedFile;
import io.countersign.gate.Verdict;
import io.countersign.kernel.ProjectId;
import io.countersign.kernel.Sha256;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

import tools.jackson.databind.json.JsonMapper;

import java.sql.Timestamp;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** The rows of {@code verification} and {@code changed_file}; single statements, no locks held. */
@Repository
class VerificationStore {
    private final JdbcTemplate jdbc;
    private final JdbcClient client;
    private final JsonMapper json;

    VerificationStore(JdbcTemplate jdbc, JdbcClient client, JsonMapper json) {
        this.jdbc = jdbc;
        this.client = client;
        this.json = json;
    }

    /** What is stored when a verification is queued; JSON members as text. */
    record Queued(
            VerificationId id,
            String requestedBy,
            Submission submission,
            String input,
            String policy,
            Sha256 policySha256,
            String dod,
            @Nullable String traceparent,
            Instant at) {}

    /**
     * What a worker needs to run a verification.
     *
     * @param run the number of this run, which fences its conclusion
     * @param deadRuns how many runs ended with their worker
     * @param cancelledBy who cancelled it meanwhile; null when nobody did
     * @param traceparent the trace in which it was submitted; null for none
     * @param startedAt when its first run began
     * @param stage what the checks lane handed to the grading one; null before that
     */
    record Claim(
            VerificationId id,
            ProjectId project,
            String requestedBy,
            String input,
            String policy,
            int run,
            int deadRuns,
            @Nullable String cancelledBy,
            @Nullable String stage,
            @Nullable String setup,
            @Nullable String traceparent,
            Instant queuedAt,
            Instant startedAt) {}

    void insert(Queued queued) {
        Submission submission = queued.submission();
        UUID rerunOf = submission.rerunOf() == null ? null : submission.rerunOf().value();
        jdbc.update(
                "INSERT INTO verification (id, project, status, mode, wiring, requested_by,"
                        + " producer_id, producer_model, input, policy, policy_sha256, dod,"
                        + " rerun_of, traceparent, queued_at) VALUES (?, ?, 'queued', ?, ?, ?, ?,"
                        + " ?, ?::json, ?::json, ?, ?::jsonb, ?, ?, ?)",
                queued.id().value(),
                submission.project().value(),
                submission.mode().wire(),
                submission.wiring().wire(),
                queued.requestedBy(),
                submission.producer().id(),
                submission.producer().model(),
                queued.input(),
                queued.policy(),
                queued.policySha256().hex(),
                queued.dod(),
                rerunOf,
                queued.traceparent(),
                Timestamp.from(queued.at()));
    }

    /**
     * Begins a run, unless there is a verdict. A verification that is still held by an earlier run
     * lost that run's worker.
     */
    Optional<Claim> begin(VerificationId id, Instant now) {
        return jdbc
                .query(
                        "UPDATE verification SET status = 'running', run = run + 1, held = true,"
                                + " dead_runs = dead_runs + held::int,"
                                + " started_at = coalesce(started_at, ?)"
                                + " WHERE id = ? AND completed_at IS NULL"
                                + " RETURNING project, requested_by, input::text AS input,"
                                + " policy::text AS policy, run, dead_runs, cancelled_by,"
                                + " stage::text AS stage, setup::text AS setup, traceparent,"
                                + " queued_at, started_at",
                        (row, n) ->
                                new Claim(
                                        id,
                                        new ProjectId(row.getString("project")),
                                        row.getString("requested_by"),
                                        row.getString("input"),
                                        row.getString("policy"),
                                        row.getInt("run"),
                                        row.getInt("dead_runs"),
                                        row.getString("cancelled_by"),
                                        row.getString("stage"),
                                        row.getString("setup"),
                                        row.getString("traceparent"),
                                        row.getTimestamp("queued_at").toInstant(),
                                        row.getTimestamp("started_at").toInstant()),
                        Timestamp.from(now),
                        id.value())
                .stream()
                .findFirst();
    }

    /** Gives a run up without blame: its worker stops, another one takes it. */
    void release(VerificationId id, int run) {
        jdbc.update(
                "UPDATE verification SET held = false, status = 'queued'"
                        + " WHERE id = ? AND run = ? AND completed_at IS NULL",
                id.value(),
                run);
    }

    /**
     * Keeps what the checks showed for the lane that grades; false when the run is fenced off or
     * the verification was cancelled.
     */
    boolean handOver(VerificationId id, int run, String stage, @Nullable String setup) {
        return jdbc.update(
                        "UPDATE verification SET held = false, stage = ?::jsonb, setup = ?::jsonb"
                                + " WHERE id = ? AND run = ? AND completed_at IS NULL"
                                + " AND cancelled_by IS NULL",
                        stage,
                        setup,
                        id.value(),
                        run)
                == 1;
    }

    /** Marks a verification as cancelled; false when it has a verdict or was cancelled before. */
    boolean cancel(VerificationId id, String by) {
        return jdbc.update(
                        "UPDATE verification SET cancelled_by = ?"
                                + " WHERE id = ? AND completed_at IS NULL AND cancelled_by IS NULL",
                        by,
                        id.value())
                == 1;
    }

    /** Who cancelled the verification that this run still holds; empty when nobody did. */
    Optional<String> cancelledBy(VerificationId id, int run) {
        return jdbc
                .query(
                        "SELECT cancelled_by FROM verification WHERE id = ? AND run = ?"
                                + " AND completed_at IS NULL AND cancelled_by IS NOT NULL",
                        (row, n) -> row.getString("cancelled_by"),
                        id.value(),
                        run)
                .stream()
                .findFirst();
    }

    /**
     * Writes the verdict; false when there is one, when another run has begun, or when somebody
     * cancelled the verification and this verdict does not say so: the mark counts from its commit
     * on, however long the news of it take to the worker.
     *
     * @param setup the setup step as JSON text; null when none ran
     */
    boolean conclude(VerificationId id, int run, Conclusion conclusion, @Nullable String setup) {
        Verdict verdict = conclusion.verdict();
        String changeSet =
                conclusion.changeSet() instanceof ChangeSet.Known known
                        ? known.sha256().hex()
                        : null;
        VerificationStatus status =
                conclusion.cancelled()
                        ? VerificationStatus.CANCELLED
                        : VerificationStatus.COMPLETED;
        return jdbc.update(
                        "UPDATE verification SET status = ?, held = false, dod = ?::jsonb,"
                                + " baseline = ?::jsonb, dod_sha256 = ?, setup = ?::jsonb,"
                                + " change_set_sha256 = ?, tree_sha256 = ?, accepted = ?, pass = ?,"
                                + " skipped = ?, method = ?, cause = ?, assurance = ?,"
                                + " reasons = ?::jsonb, findings = ?::jsonb, evidence = ?,"
                                + " forcing_note = ?, completed_at = ?"
                                + " WHERE id = ? AND run = ? AND completed_at IS NULL"
                                + " AND (? OR cancelled_by IS NULL)",
                        status.wire(),
                        conclusion.dodJson(),
                        conclusion.baselineJson(),
                        conclusion.dodSha256() == null ? null : conclusion.dodSha256().hex(),
                        setup,
                        changeSet,
                        conclusion.treeSha256() == null ? null : conclusion.treeSha256().hex(),
                        verdict.accepted(),
                        verdict.pass(),
                        verdict.skipped(),
                        verdict.method().wire(),
                        verdict.cause() == null ? null : verdict.cause().wire(),
                        verdict.assurance().wire(),
                        json.writeValueAsString(verdict.reasons()),
                        json.writeValueAsString(verdict.findings()),
                        verdict.evidence(),
                        conclusion.forcingNote(),
                        Timestamp.from(conclusion.at()),
                        id.value(),
                        run,
                        conclusion.cancelled())
                == 1;
    }

    void insertFiles(VerificationId id, ProjectId project, List<ChangedFile> files) {
        if (files.isEmpty()) return;
        jdbc.batchUpdate(
                "INSERT INTO changed_file (verification_id, project, path, status, from_path,"
                        + " sha256) VALUES (?, ?, ?, ?, ?, ?)",
                files.stream()
                        .map(
                                file ->
                                        new @Nullable Object[] {
                                            id.value(),
                                            project.value(),
                                            file.path(),
                                            file.status().wire(),
                                            file.from(),
                                            file.sha256() == null ? null : file.sha256().hex()
                                        })
                        .toList());
    }

    /** The {@code changeSet.files} member of each verification. */
    Map<VerificationId, List<Object>> files(Collection<VerificationId> ids) {
        Map<VerificationId, List<Object>> files = new HashMap<>();
        if (ids.isEmpty()) return files;
        client.sql(
                        """
                        SELECT verification_id, path, status, from_path, sha256 FROM changed_file
                        WHERE verification_id IN (:ids) ORDER BY path COLLATE "C"
                        """)
                .param("ids", ids.stream().map(VerificationId::value).toList())
                .query(
                        row -> {
                            Map<String, @Nullable Object> file = new LinkedHashMap<>();
                            file.put("path", row.getString("path"));
                            file.put("sha256", row.getString("sha256"));
                            file.put("status", row.getString("status"));
                            if (row.getString("from_path") != null) {
                                file.put("from", row.getString("from_path"));
                            }
                            files.computeIfAbsent(
                                            new VerificationId(
                                                    row.getObject("verification_id", UUID.class)),
                                            key -> new ArrayList<>())
                                    .add(file);
                        });
        return files;
    }

    Optional<VerificationRow> find(VerificationId id) {
        return jdbc
                .query(
                        "SELECT " + VerificationRow.COLUMNS + " FROM verification WHERE id = ?",
                        VerificationRow.MAPPER,
                        id.value())
                .stream()
                .findFirst();
    }

    /** The frozen input and its author, for a rerun. */
    Optional<String> input(VerificationId id) {
        return jdbc
                .query(
                        "SELECT input::text AS input FROM verification WHERE id = ?",
                        (row, n) -> row.getString("input"),
                        id.value())
                .stream()
                .findFirst();
    }
}
