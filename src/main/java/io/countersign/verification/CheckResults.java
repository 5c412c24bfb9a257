package io.countersign.verification;

import io.countersign.check.CapturedText;
import io.countersign.check.CheckOutcome;
import io.countersign.check.CheckResult;
import io.countersign.check.TestCounts;
import io.countersign.kernel.Cause;
import io.countersign.kernel.Finding;
import io.countersign.kernel.Sha256;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** The rows of {@code check_result} and {@code check_output}. */
@Repository
class CheckResults {
    /** Characters of each stream that stand in the verification itself. */
    private static final int TAIL = 4_000;

    private static final TypeReference<List<Finding>> FINDINGS = new TypeReference<>() {};

    private final JdbcTemplate jdbc;
    private final JdbcClient client;
    private final JsonMapper json;

    CheckResults(JdbcTemplate jdbc, JdbcClient client, JsonMapper json) {
        this.jdbc = jdbc;
        this.client = client;
        this.json = json;
    }

    /** Stores the results of a run; output is kept until {@code expires}. */
    void insert(VerificationId id, int run, List<CheckResult> results, Instant expires) {
        if (results.isEmpty()) return;
        jdbc.batchUpdate(
                "INSERT INTO check_result (verification_id, index, run, kind, command, outcome,"
                        + " reason, cause, exit_code, duration_ms, isolation, tests_run,"
                        + " tests_failed, tests_skipped, tests_unknown, findings, output) VALUES"
                        + " (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?::jsonb, ?::jsonb)",
                results.stream().map(result -> row(id, run, result)).toList());
        List<Object[]> outputs = new ArrayList<>();
        for (CheckResult result : results) {
            addOutput(outputs, id, result.index(), "stdout", result.stdout(), expires);
            addOutput(outputs, id, result.index(), "stderr", result.stderr(), expires);
        }
        if (outputs.isEmpty()) return;
        jdbc.batchUpdate(
                "INSERT INTO check_output (verification_id, index, stream, text, bytes, truncated,"
                        + " sha256, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                outputs);
    }

    private @Nullable Object[] row(VerificationId id, int run, CheckResult result) {
        TestCounts tests = result.tests();
        Map<String, Object> output = output(result);
        return new @Nullable Object[] {
            id.value(),
            result.index(),
            run,
            result.kind(),
            result.command(),
            result.outcome().wire(),
            result.reason(),
            result.cause() == null ? null : result.cause().wire(),
            result.exitCode(),
            result.duration().toMillis(),
            result.isolation(),
            tests == null ? null : tests.run(),
            tests == null ? null : tests.failed(),
            tests == null ? null : tests.skipped(),
            result.testsUnknown(),
            json.writeValueAsString(result.findings()),
            output == null ? null : json.writeValueAsString(output)
        };
    }

    /** The {@code output} member of a check: the ends of both streams, and how much there was. */
    static @Nullable Map<String, Object> output(CheckResult result) {
        CapturedText out = result.stdout();
        CapturedText err = result.stderr();
        if (out == null || err == null) return null;
        Map<String, Object> output = new LinkedHashMap<>();
        output.put("tail", result.outputTail(TAIL));
        output.put("bytes", out.bytes() + err.bytes());
        output.put("truncated", out.truncated() || err.truncated());
        output.put("sha256", out.sha256().hex());
        return output;
    }

    private static void addOutput(
            List<Object[]> rows,
            VerificationId id,
            int index,
            String stream,
            @Nullable CapturedText text,
            Instant expires) {
        if (text == null) return;
        rows.add(
                new Object[] {
                    id.value(),
                    index,
                    stream,
                    text.text(),
                    text.bytes(),
                    text.truncated(),
                    text.sha256().hex(),
                    Timestamp.from(expires)
                });
    }

    /** The {@code checks} member of each verification, in the order of its DoD. */
    Map<VerificationId, List<Object>> members(Collection<VerificationId> ids) {
        Map<VerificationId, List<Object>> members = new HashMap<>();
        if (ids.isEmpty()) return members;
        client.sql(
                        """
                        SELECT * FROM check_result WHERE verification_id IN (:ids)
                        ORDER BY verification_id, index
                        """)
                .param("ids", ids.stream().map(VerificationId::value).toList())
                .query(
                        row -> {
                            VerificationId id =
                                    new VerificationId(
                                            row.getObject("verification_id", UUID.class));
                            String output = row.getString("output");
                            Object tail = output == null ? null : json.readTree(output);
                            members.computeIfAbsent(id, key -> new ArrayList<>())
                                    .add(member(read(row, null), tail));
                        });
        return members;
    }

    /** One element of {@code checks}, as the API and the {@code check} event show it. */
    static Map<String, @Nullable Object> member(CheckResult result, @Nullable Object output) {
        Map<String, @Nullable Object> member = new LinkedHashMap<>();
        TestCounts tests = result.tests();
        member.put("index", result.index());
        member.put("kind", result.kind());
        member.put("command", result.command());
        member.put("outcome", result.outcome().wire());
        member.put("reason", result.reason());
        member.put("exitCode", result.exitCode());
        member.put("durationMs", result.duration().toMillis());
        member.put("isolation", result.isolation());
        member.put("tests", tests != null ? tests : result.testsUnknown() ? "unknown" : null);
        member.put("output", output);
        return member;
    }

    /** The stored results of one verification, with the ends of their output as stdout. */
    List<CheckResult> of(VerificationId id) {
        return jdbc.query(
                "SELECT * FROM check_result WHERE verification_id = ? ORDER BY index",
                (row, n) -> read(row, tail(row.getString("output"))),
                id.value());
    }

    private @Nullable CapturedText tail(@Nullable String output) {
        if (output == null) return null;
        JsonNode tail = json.readTree(output);
        return new CapturedText(
                tail.path("tail").asString(),
                tail.path("bytes").asLong(),
                tail.path("truncated").asBoolean(),
                new Sha256(tail.path("sha256").asString()));
    }

    private CheckResult read(ResultSet row, @Nullable CapturedText stdout) throws SQLException {
        Integer run = row.getObject("tests_run", Integer.class);
        String cause = row.getString("cause");
        return new CheckResult(
                row.getInt("index"),
                row.getString("kind"),
                row.getString("command"),
                CheckOutcome.valueOf(row.getString("outcome").toUpperCase(Locale.ROOT)),
                row.getString("reason"),
                cause == null ? null : Cause.valueOf(cause.toUpperCase(Locale.ROOT)),
                row.getObject("exit_code", Integer.class),
                Duration.ofMillis(row.getLong("duration_ms")),
                row.getString("isolation"),
                run == null
                        ? null
                        : new TestCounts(
                                run, row.getInt("tests_failed"), row.getInt("tests_skipped")),
                row.getBoolean("tests_unknown"),
                stdout,
                null,
                json.readValue(row.getString("findings"), FINDINGS));
    }

    /** The captured text of one stream, if a process ran and its retention time is not over. */
    Optional<CapturedText> output(VerificationId id, int index, String stream) {
        return jdbc
                .query(
                        "SELECT text, bytes, truncated, sha256 FROM check_output"
                                + " WHERE verification_id = ? AND index = ? AND stream = ?",
                        (row, n) ->
                                new CapturedText(
                                        row.getString("text"),
                                        row.getLong("bytes"),
                                        row.getBoolean("truncated"),
                                        new Sha256(row.getString("sha256"))),
                        id.value(),
                        index,
                        stream)
                .stream()
                .findFirst();
    }

    /** Deletes output whose retention time is over; answers how many streams. */
    int deleteExpired(Instant now) {
        return jdbc.update("DELETE FROM check_output WHERE expires_at < ?", Timestamp.from(now));
    }
}
