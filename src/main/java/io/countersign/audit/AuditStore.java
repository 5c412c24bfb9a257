package io.countersign.audit;

import io.countersign.kernel.Cursor;
import io.countersign.kernel.PrincipalKind;
import io.countersign.kernel.Sha256;
import io.countersign.kernel.SqlTime;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

import tools.jackson.databind.json.JsonMapper;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;

/** The rows of {@code audit_event}. */
@Repository
class AuditStore {
    private final JdbcClient jdbc;
    private final JsonMapper json;

    AuditStore(JdbcClient jdbc, JsonMapper json) {
        this.jdbc = jdbc;
        this.json = json;
    }

    /** An event as it is stored, with the digest that it had when it was written. */
    record Row(AuditEvent event, Sha256 sha256, @Nullable Long batch) {
        boolean isIntact() {
            return event.digest().equals(sha256);
        }
    }

    /** Which events to list; null members do not narrow. */
    record Filter(
            @Nullable String project,
            @Nullable String principal,
            @Nullable String action,
            @Nullable String subject,
            @Nullable Instant from,
            @Nullable Instant to) {}

    void insert(AuditEvent event) {
        jdbc.sql(
                        """
                        insert into audit_event (id, project, principal, principal_kind, action,
                            subject, request_id, at, detail, sha256)
                        values (:id, :project, :principal, :kind, :action, :subject, :request, :at,
                            :detail::jsonb, :sha256)
                        """)
                .param("id", event.id())
                .param("project", event.project())
                .param("principal", event.principal())
                .param("kind", event.principalKind().wire())
                .param("action", event.action())
                .param("subject", event.subject())
                .param("request", event.requestId())
                .param("at", SqlTime.of(event.at()))
                .param("detail", json.writeValueAsString(event.detail()))
                .param("sha256", event.digest().hex())
                .update();
    }

    /** Newest first, which is the order of the ids. */
    List<Row> list(Filter filter, @Nullable Cursor after, int limit) {
        Map<String, Object> params = new LinkedHashMap<>();
        List<String> where = new ArrayList<>(List.of("true"));
        narrow(where, params, "project = :project", "project", filter.project());
        narrow(where, params, "principal = :principal", "principal", filter.principal());
        narrow(where, params, "action = :action", "action", filter.action());
        narrow(where, params, "subject = :subject", "subject", filter.subject());
        narrow(where, params, "at >= :from", "from", SqlTime.ofNullable(filter.from()));
        narrow(where, params, "at < :to", "to", SqlTime.ofNullable(filter.to()));
        if (after != null) {
            where.add("id < :id");
            params.put("id", after.id());
        }
        return jdbc.sql(
                        "select * from audit_event where "
                                + String.join(" and ", where)
                                + " order by id desc limit :limit")
                .params(params)
                .param("limit", limit)
                .query((row, n) -> row(row))
                .list();
    }

    private static void narrow(
            List<String> where,
            Map<String, Object> params,
            String condition,
            String name,
            @Nullable Object value) {
        if (value != null) {
            where.add(condition);
            params.put(name, value);
        }
    }

    /** A row that waits to be sealed. */
    record Unsealed(UUID id, String project, Sha256 sha256) {}

    /** The oldest rows that are not sealed, in order of their ids. */
    List<Unsealed> unsealed(int limit) {
        return jdbc.sql(
                        """
                        select id, project, sha256 from audit_event where batch is null
                        order by id limit :limit
                        """)
                .param("limit", limit)
                .query(
                        (row, n) ->
                                new Unsealed(
                                        row.getObject("id", UUID.class),
                                        row.getString("project"),
                                        new Sha256(row.getString("sha256"))))
                .list();
    }

    void seal(List<UUID> ids, long batch) {
        jdbc.sql("update audit_event set batch = :batch where id = any (:ids)")
                .param("batch", batch)
                .param("ids", ids.toArray(UUID[]::new))
                .update();
    }

    /** The rows of one batch, in order of their ids. */
    List<Row> batch(String project, long batch) {
        return jdbc.sql(
                        """
                        select * from audit_event where project = :project and batch = :batch
                        order by id
                        """)
                .param("project", project)
                .param("batch", batch)
                .query((row, n) -> row(row))
                .list();
    }

    /** Up to {@code limit} rows of a project that are not sealed yet. */
    List<Row> unsealed(String project, int limit) {
        return jdbc.sql(
                        """
                        select * from audit_event where project = :project and batch is null
                        order by id limit :limit
                        """)
                .param("project", project)
                .param("limit", limit)
                .query((row, n) -> row(row))
                .list();
    }

    /** Batches that rows of a project name and that have no head. */
    List<Long> headless(String project) {
        return jdbc.sql(
                        """
                        select distinct e.batch from audit_event e
                        where e.project = :project and e.batch is not null and not exists (
                            select from audit_batch b
                            where b.project = e.project and b.number = e.batch)
                        order by e.batch limit 100
                        """)
                .param("project", project)
                .query((row, n) -> row.getLong("batch"))
                .list();
    }

    /** Every project that has events or heads. */
    List<String> projects() {
        return jdbc.sql(
                        """
                        select project from audit_event union select project from audit_batch
                        order by project
                        """)
                .query((row, n) -> row.getString("project"))
                .list();
    }

    private Row row(ResultSet row) throws SQLException {
        long batch = row.getLong("batch");
        Long sealed = row.wasNull() ? null : batch;
        AuditEvent event =
                new AuditEvent(
                        row.getObject("id", UUID.class),
                        SqlTime.instant(row, "at"),
                        row.getString("project"),
                        row.getString("principal"),
                        PrincipalKind.valueOf(
                                row.getString("principal_kind").toUpperCase(Locale.ROOT)),
                        row.getString("action"),
                        row.getString("subject"),
                        row.getString("request_id"),
                        json.readTree(row.getString("detail")));
        return new Row(event, new Sha256(row.getString("sha256")), sealed);
    }
}
