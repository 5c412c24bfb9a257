package io.countersign.grader;

import io.countersign.grader.GradingRow.NotSeen;
import io.countersign.grader.GradingRow.Quote;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** The table {@code grading}. Append-only. */
@Repository
public class Gradings {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final TypeReference<List<String>> STRINGS = new TypeReference<>() {};
    private static final TypeReference<List<Quote>> QUOTES = new TypeReference<>() {};
    private static final TypeReference<List<NotSeen>> PARTS = new TypeReference<>() {};

    private final JdbcClient jdbc;

    Gradings(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * Stores a grading. Joins the caller's transaction.
     *
     * @param verificationId what it is about
     * @param run the run of it
     */
    public void insert(UUID verificationId, int run, GradingRow row, Instant gradedAt) {
        jdbc.sql(
                        """
                        insert into grading (id, verification_id, run, outcome, pass, cause,
                            reasons, tier, provider, model_asked, model_answered, response_id,
                            prompt_sha256, tokens_in, tokens_out, latency_ms, attempts,
                            temperature, temperature_omitted, structured, reply, evidence,
                            not_seen, graded_at)
                        values (:id, :verification, :run, :outcome, :pass, :cause,
                            cast(:reasons as jsonb), :tier, :provider, :asked, :answered, :response,
                            :prompt, :tokensIn, :tokensOut, :latency, :attempts,
                            :temperature, :omitted, :structured, :reply, cast(:evidence as jsonb),
                            cast(:notSeen as jsonb), :at)
                        """)
                .param("id", row.graderId())
                .param("verification", verificationId)
                .param("run", run)
                .param("outcome", row.outcome().wire())
                .param("pass", row.pass())
                .param("cause", row.cause())
                .param("reasons", json(row.reasons()))
                .param("tier", row.tier() == null ? null : row.tier().wire())
                .param("provider", row.provider())
                .param("asked", row.modelAsked())
                .param("answered", row.modelAnswered())
                .param("response", row.responseId())
                .param("prompt", row.promptSha256())
                .param("tokensIn", row.tokensIn())
                .param("tokensOut", row.tokensOut())
                .param("latency", row.latencyMs())
                .param("attempts", row.attempts())
                .param("temperature", row.temperature())
                .param("omitted", row.temperatureOmitted())
                .param("structured", row.structured())
                .param("reply", row.reply())
                .param("evidence", json(row.evidence()))
                .param("notSeen", json(row.notSeen()))
                .param("at", OffsetDateTime.ofInstant(gradedAt, ZoneOffset.UTC))
                .update();
    }

    /** The grading of each verification that has one, of its latest run; one query for all. */
    public Map<UUID, GradingRow> byVerification(Collection<UUID> verificationIds) {
        Map<UUID, GradingRow> rows = new HashMap<>();
        if (verificationIds.isEmpty()) return rows;
        jdbc.sql(
                        """
                        select * from grading where verification_id in (:ids)
                        order by verification_id, run, id
                        """)
                .param("ids", verificationIds)
                .query(
                        (result, number) ->
                                Map.entry(
                                        result.getObject("verification_id", UUID.class),
                                        row(result)))
                .list()
                .forEach(entry -> rows.put(entry.getKey(), entry.getValue()));
        return rows;
    }

    private static GradingRow row(ResultSet result) throws SQLException {
        String tier = result.getString("tier");
        return new GradingRow(
                result.getObject("id", UUID.class),
                GradingOutcome.parse(result.getString("outcome")),
                result.getBoolean("pass"),
                result.getString("cause"),
                JSON.readValue(result.getString("reasons"), STRINGS),
                tier == null ? null : Tier.parse(tier),
                result.getString("provider"),
                result.getString("model_asked"),
                result.getString("model_answered"),
                result.getString("response_id"),
                result.getString("prompt_sha256"),
                integer(result, "tokens_in"),
                integer(result, "tokens_out"),
                result.getLong("latency_ms"),
                result.getInt("attempts"),
                result.getObject("temperature", Double.class),
                result.getBoolean("temperature_omitted"),
                result.getBoolean("structured"),
                result.getString("reply"),
                JSON.readValue(result.getString("evidence"), QUOTES),
                JSON.readValue(result.getString("not_seen"), PARTS));
    }

    private static @Nullable Integer integer(ResultSet result, String column) throws SQLException {
        return result.getObject(column, Integer.class);
    }

    private static String json(Object value) {
        return JSON.writeValueAsString(value);
    }
}
