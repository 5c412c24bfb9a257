package io.countersign.verification;

import io.countersign.gate.Method;
import io.countersign.kernel.Caller;
import io.countersign.kernel.Cause;
import io.countersign.kernel.Cursor;
import io.countersign.kernel.Page;
import io.countersign.kernel.ProjectId;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Repository;

import java.sql.Timestamp;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Verification history, newest first, by keyset: a page costs the same at a thousand rows and at
 * ten million. Ids are UUIDv7, so their order is that of time.
 */
@Repository
class History {
    private final JdbcTemplate jdbc;
    private final VerificationViews views;

    History(JdbcTemplate jdbc, VerificationViews views) {
        this.jdbc = jdbc;
        this.views = views;
    }

    Page<Map<String, @Nullable Object>> page(Caller caller, HistoryQuery query) {
        int limit = Page.limit(query.limit());
        Where where = where(caller, query);
        List<Object> arguments = new ArrayList<>(where.arguments());
        arguments.add(limit + 1);
        List<VerificationRow> rows =
                jdbc.query(
                        "SELECT "
                                + VerificationRow.COLUMNS
                                + " FROM verification WHERE "
                                + where.sql()
                                + " ORDER BY id DESC LIMIT ?",
                        VerificationRow.MAPPER,
                        arguments.toArray());
        boolean more = rows.size() > limit;
        List<VerificationRow> shown = more ? rows.subList(0, limit) : rows;
        String next = more ? next(shown.getLast()) : null;
        return new Page<>(views.views(shown), next);
    }

    private static String next(VerificationRow last) {
        return new Cursor(last.queuedAt(), last.id().value()).encode();
    }

    private record Where(List<String> terms, List<Object> arguments) {
        void and(String term, @Nullable Object argument) {
            if (argument == null) return;
            terms.add(term);
            arguments.add(argument);
        }

        String sql() {
            return terms.isEmpty() ? "true" : String.join(" AND ", terms);
        }
    }

    /** A word that names nothing would find nothing, and look like an answer. */
    private static <T> @Nullable String named(
            String pointer, T[] values, Function<T, String> wire, @Nullable String word) {
        T value = Submissions.choice(pointer, values, wire, word);
        return value == null ? null : wire.apply(value);
    }

    private static Where where(Caller caller, HistoryQuery query) {
        Where where = new Where(new ArrayList<>(), new ArrayList<>());
        if (query.project() != null) {
            ProjectId project = ProjectId.parse("?project", query.project());
            caller.demand(project);
            where.and("project = ?", project.value());
        } else if (!caller.projects().contains("*")) {
            where.and("project = ANY(?)", caller.projects().toArray(String[]::new));
        }
        where.and(
                "status = ?",
                named(
                        "?status",
                        VerificationStatus.values(),
                        VerificationStatus::wire,
                        query.status()));
        where.and("accepted = ?", query.accepted());
        where.and("method = ?", named("?method", Method.values(), Method::wire, query.method()));
        where.and("cause = ?", named("?cause", Cause.values(), Cause::wire, query.cause()));
        where.and("producer_id = ?", query.producer());
        where.and("producer_model = ?", query.model());
        where.and("queued_at >= ?", query.from() == null ? null : Timestamp.from(query.from()));
        where.and("queued_at < ?", query.to() == null ? null : Timestamp.from(query.to()));
        if (query.path() != null) {
            where.and(
                    "id IN (SELECT verification_id FROM changed_file f"
                            + " WHERE f.project = verification.project AND f.path = ?)",
                    query.path());
        }
        where.and("id < ?", query.cursor() == null ? null : Cursor.parse(query.cursor()).id());
        return where;
    }
}
