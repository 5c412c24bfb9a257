package io.countersign.delegation;

import io.countersign.verification.VerificationId;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Repository;

import tools.jackson.databind.json.JsonMapper;

import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The rows of {@code delegation} and {@code attempt}. */
@Repository
class DelegationStore {
    private static final String COLUMNS =
            "id, project, opened_by, state, terminal_reason, dispatch, terms::text AS terms,"
                    + " dod::text AS dod, ladder::text AS ladder, current_tier, idle_ms, opened_at,"
                    + " expires_at, closed_at";

    private final JdbcTemplate jdbc;
    private final JsonMapper json;

    DelegationStore(JdbcTemplate jdbc, JsonMapper json) {
        this.jdbc = jdbc;
        this.json = json;
    }

    /**
     * @param dod JSON text, as the delegation was opened
     * @param idle how long it may stay without a step
     */
    record DelegationRow(
            UUID id,
            String project,
            String openedBy,
            DelegationState state,
            @Nullable String terminalReason,
            String dispatch,
            Terms terms,
            String dod,
            LadderState ladder,
            String currentTier,
            Duration idle,
            Instant openedAt,
            Instant expiresAt,
            @Nullable Instant closedAt) {}

    /**
     * @param action what the ladder decided; null while the verification runs
     */
    record AttemptRow(
            UUID delegationId,
            int number,
            VerificationId verification,
            String postedBy,
            @Nullable BigDecimal cost,
            String tier,
            String finalReturnText,
            @Nullable String action,
            @Nullable String nextTier,
            @Nullable String forcingMessage,
            @Nullable String reason,
            @Nullable Integer checksPassed,
            Instant postedAt,
            @Nullable Instant concludedAt) {}

    void insert(DelegationRow row) {
        jdbc.update(
                "INSERT INTO delegation (id, project, opened_by, state, dispatch, terms, dod,"
                        + " ladder, current_tier, idle_ms, opened_at, expires_at) VALUES"
                        + " (?, ?, ?, ?, ?, ?::jsonb, ?::jsonb, ?::jsonb, ?, ?, ?, ?)",
                row.id(),
                row.project(),
                row.openedBy(),
                row.state().wire(),
                row.dispatch(),
                json.writeValueAsString(row.terms()),
                row.dod(),
                json.writeValueAsString(row.ladder()),
                row.currentTier(),
                row.idle().toMillis(),
                Timestamp.from(row.openedAt()),
                Timestamp.from(row.expiresAt()));
    }

    Optional<DelegationRow> find(UUID id) {
        return query("WHERE id = ?", id).stream().findFirst();
    }

    /** The row, locked until the transaction ends: attempts and verdicts come one at a time. */
    Optional<DelegationRow> lock(UUID id) {
        return query("WHERE id = ? FOR UPDATE", id).stream().findFirst();
    }

    List<DelegationRow> page(String[] projects, boolean all, UUID before, int limit) {
        return query(
                "WHERE (? OR project = ANY(?)) AND id < ? ORDER BY id DESC LIMIT ?",
                all,
                projects,
                before,
                limit);
    }

    private List<DelegationRow> query(String where, Object... arguments) {
        return jdbc.query(
                "SELECT " + COLUMNS + " FROM delegation " + where,
                (row, n) -> delegation(row),
                arguments);
    }

    private DelegationRow delegation(ResultSet row) throws SQLException {
        return new DelegationRow(
                row.getObject("id", UUID.class),
                row.getString("project"),
                row.getString("opened_by"),
                DelegationState.valueOf(row.getString("state").toUpperCase(java.util.Locale.ROOT)),
                row.getString("terminal_reason"),
                row.getString("dispatch"),
                json.readValue(row.getString("terms"), Terms.class),
                row.getString("dod"),
                json.readValue(row.getString("ladder"), LadderState.class),
                row.getString("current_tier"),
                Duration.ofMillis(row.getLong("idle_ms")),
                row.getTimestamp("opened_at").toInstant(),
                row.getTimestamp("expires_at").toInstant(),
                instant(row, "closed_at"));
    }

    private static @Nullable Instant instant(ResultSet row, String column) throws SQLException {
        Timestamp time = row.getTimestamp(column);
        return time == null ? null : time.toInstant();
    }

    /** Stores where the delegation stands after a step. */
    void step(UUID id, LadderState ladder, String tier, Instant expiresAt) {
        jdbc.update(
                "UPDATE delegation SET ladder = ?::jsonb, current_tier = ?, expires_at = ?"
                        + " WHERE id = ?",
                json.writeValueAsString(ladder),
                tier,
                Timestamp.from(expiresAt),
                id);
    }

    /** Ends the delegation, if it is open; false when it is not. */
    boolean close(UUID id, DelegationState state, String reason, Instant at) {
        return jdbc.update(
                        "UPDATE delegation SET state = ?, terminal_reason = ?, closed_at = ?"
                                + " WHERE id = ? AND state = 'open'",
                        state.wire(),
                        reason,
                        Timestamp.from(at),
                        id)
                == 1;
    }

    /** Ends every open delegation that is idle for too long and has no attempt under way. */
    int expire(Instant now) {
        return jdbc.update(
                "UPDATE delegation SET state = 'expired', terminal_reason = 'expired',"
                        + " closed_at = ? WHERE state = 'open' AND expires_at < ? AND NOT EXISTS"
                        + " (SELECT 1 FROM attempt WHERE delegation_id = delegation.id"
                        + " AND concluded_at IS NULL)",
                Timestamp.from(now),
                Timestamp.from(now));
    }

    void insertAttempt(AttemptRow row) {
        jdbc.update(
                "INSERT INTO attempt (delegation_id, number, verification_id, posted_by, cost,"
                        + " tier, final_return_text, posted_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                row.delegationId(),
                row.number(),
                row.verification().value(),
                row.postedBy(),
                row.cost(),
                row.tier(),
                row.finalReturnText(),
                Timestamp.from(row.postedAt()));
    }

    /** Stores what followed from an attempt's verdict. */
    void concludeAttempt(
            AttemptRow attempt,
            LadderAction action,
            @Nullable String forcingMessage,
            int checksPassed,
            Instant at) {
        String reason = action instanceof LadderAction.GiveUp giveUp ? giveUp.reason() : null;
        jdbc.update(
                "UPDATE attempt SET action = ?, next_tier = ?, forcing_message = ?, reason = ?,"
                        + " checks_passed = ?, concluded_at = ?"
                        + " WHERE delegation_id = ? AND number = ?",
                action.wire(),
                action.tier(),
                forcingMessage,
                reason,
                checksPassed,
                Timestamp.from(at),
                attempt.delegationId(),
                attempt.number());
    }

    /** A delegation's attempts, first to last. */
    List<AttemptRow> attempts(UUID delegation) {
        return jdbc.query(
                "SELECT * FROM attempt WHERE delegation_id = ? ORDER BY number",
                (row, n) -> attempt(row),
                delegation);
    }

    Optional<AttemptRow> attemptOf(VerificationId verification) {
        return jdbc
                .query(
                        "SELECT * FROM attempt WHERE verification_id = ?",
                        (row, n) -> attempt(row),
                        verification.value())
                .stream()
                .findFirst();
    }

    private static AttemptRow attempt(ResultSet row) throws SQLException {
        return new AttemptRow(
                row.getObject("delegation_id", UUID.class),
                row.getInt("number"),
                new VerificationId(row.getObject("verification_id", UUID.class)),
                row.getString("posted_by"),
                row.getBigDecimal("cost"),
                row.getString("tier"),
                row.getString("final_return_text"),
                row.getString("action"),
                row.getString("next_tier"),
                row.getString("forcing_message"),
                row.getString("reason"),
                row.getObject("checks_passed", Integer.class),
                row.getTimestamp("posted_at").toInstant(),
                instant(row, "concluded_at"));
    }
}
