package io.countersign.verification;

import io.countersign.kernel.Caller;
import io.countersign.kernel.ProblemException;
import io.countersign.kernel.ProjectId;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Repository;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Counts, pass rate and mean duration of concluded verifications, per bucket of time. */
@Repository
class Statistics {
    private static final Duration DEFAULT_SPAN = Duration.ofDays(30);

    /** Closed sets: what a caller names never reaches the SQL text itself. */
    private static final List<String> BUCKETS = List.of("hour", "day", "week");

    private static final Map<String, String> COLUMNS =
            Map.of(
                    "project", "v.project",
                    "model", "coalesce(v.producer_model, 'unknown')",
                    "method", "v.method",
                    "cause", "coalesce(v.cause, 'none')",
                    "check", "c.kind");

    private final JdbcTemplate jdbc;
    private final InstantSource clock;

    Statistics(JdbcTemplate jdbc, InstantSource clock) {
        this.jdbc = jdbc;
        this.clock = clock;
    }

    /**
     * One row per bucket and value of {@code by}; the last 30 days unless {@code from} says
     * otherwise. By {@code check} the counts are of check results, not of verifications.
     *
     * @throws ProblemException 422 for a bucket or dimension that does not exist
     */
    List<Map<String, @Nullable Object>> of(
            Caller caller,
            @Nullable String project,
            @Nullable Instant from,
            @Nullable Instant to,
            String bucket,
            @Nullable String by) {
        if (!BUCKETS.contains(bucket)) {
            throw ProblemException.invalid("?bucket", "is one of " + BUCKETS);
        }
        String column = by == null ? "NULL::text" : COLUMNS.get(by);
        if (column == null) {
            throw ProblemException.invalid("?by", "is project, model, method, cause or check");
        }
        Instant start = from == null ? clock.instant().minus(DEFAULT_SPAN) : from;
        List<Object> arguments = new ArrayList<>();
        arguments.add(bucket);
        arguments.add(Timestamp.from(start));
        StringBuilder where = new StringBuilder("v.completed_at IS NOT NULL AND v.queued_at >= ?");
        if (to != null) {
            where.append(" AND v.queued_at < ?");
            arguments.add(Timestamp.from(to));
        }
        reach(caller, project, where, arguments);
        boolean checks = "check".equals(by);
        return jdbc.query(
                checks ? byCheck(where) : byVerdict(column, where),
                (row, n) -> item(row, by),
                arguments.toArray());
    }

    private static String byVerdict(String column, StringBuilder where) {
        return "SELECT date_trunc(?, v.queued_at, 'UTC') AS bucket, "
                + column
                + " AS value, count(*) AS total, count(*) FILTER (WHERE v.accepted) AS accepted,"
                + " count(*) FILTER (WHERE v.pass) AS passed, count(*) FILTER (WHERE v.skipped) AS"
                + " skipped, avg(extract(epoch FROM v.completed_at - v.queued_at)) * 1000 AS mean"
                + " FROM verification v WHERE "
                + where
                + " GROUP BY 1, 2 ORDER BY 1, 2";
    }

    private static String byCheck(StringBuilder where) {
        return "SELECT date_trunc(?, v.queued_at, 'UTC') AS bucket, c.kind AS value, count(*) AS"
                + " total, count(*) FILTER (WHERE c.outcome = 'passed') AS accepted, count(*) FILTER"
                + " (WHERE c.outcome = 'passed') AS passed, count(*) FILTER (WHERE c.outcome ="
                + " 'not_run') AS skipped, avg(c.duration_ms) AS mean FROM verification v JOIN"
                + " check_result c ON c.verification_id = v.id WHERE "
                + where
                + " GROUP BY 1, 2 ORDER BY 1, 2";
    }

    private static void reach(
            Caller caller, @Nullable String project, StringBuilder where, List<Object> arguments) {
        if (project != null) {
            ProjectId id = ProjectId.parse("?project", project);
            caller.demand(id);
            where.append(" AND v.project = ?");
            arguments.add(id.value());
        } else if (!caller.projects().contains("*")) {
            where.append(" AND v.project = ANY(?)");
            arguments.add(caller.projects().toArray(String[]::new));
        }
    }

    private static Map<String, @Nullable Object> item(ResultSet row, @Nullable String by)
            throws SQLException {
        long total = row.getLong("total");
        long skipped = row.getLong("skipped");
        long judged = total - skipped;
        Map<String, @Nullable Object> item = new LinkedHashMap<>();
        item.put("bucket", row.getTimestamp("bucket").toInstant());
        if (by != null) item.put(by, row.getString("value"));
        item.put("count", total);
        item.put("accepted", row.getLong("accepted"));
        item.put("passed", row.getLong("passed"));
        item.put("skipped", skipped);
        item.put("passRate", judged == 0 ? null : (double) row.getLong("passed") / judged);
        item.put("meanDurationMs", Math.round(row.getDouble("mean")));
        return item;
    }
}
