package io.countersign.access;

import io.countersign.kernel.Cursor;
import io.countersign.kernel.PrincipalKind;
import io.countersign.kernel.Role;
import io.countersign.kernel.SqlTime;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/** The rows of {@code principal}. */
@Repository
class PrincipalStore {
    private final JdbcClient jdbc;

    PrincipalStore(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** A principal as it is stored; {@code uid} orders principals of the same time. */
    record Row(Principal principal, UUID uid, Instant createdAt, Instant updatedAt) {}

    Optional<Row> find(String id) {
        return jdbc.sql("select * from principal where id = :id")
                .param("id", id)
                .query((row, n) -> row(row))
                .optional();
    }

    List<Row> list(@Nullable Cursor after, int limit) {
        String where = after == null ? "" : "where (created_at, uid) < (:at, :uid)";
        JdbcClient.StatementSpec query =
                jdbc.sql(
                                "select * from principal "
                                        + where
                                        + " order by created_at desc, uid desc limit :limit")
                        .param("limit", limit);
        if (after != null) {
            query = query.param("at", SqlTime.of(after.at())).param("uid", after.id());
        }
        return query.query((row, n) -> row(row)).list();
    }

    /** False when the id is taken. */
    boolean insert(Row row) {
        return values(
                                """
                                insert into principal (id, uid, kind, roles, anchor_kinds, projects,
                                    tier, model, created_at, updated_at)
                                values (:id, :uid, :kind, :roles, :anchors, :projects, :tier,
                                    :model, :created, :updated)
                                on conflict (id) do nothing
                                """,
                                row)
                        .update()
                == 1;
    }

    void update(Row row) {
        values(
                        """
                        update principal set kind = :kind, roles = :roles, anchor_kinds = :anchors,
                            projects = :projects, tier = :tier, model = :model,
                            updated_at = :updated
                        where id = :id
                        """,
                        row)
                .update();
    }

    private JdbcClient.StatementSpec values(String sql, Row row) {
        Principal principal = row.principal();
        return jdbc.sql(sql)
                .param("id", principal.id())
                .param("uid", row.uid())
                .param("kind", principal.kind().wire())
                .param("roles", texts(principal.roles().stream().map(Role::wire).toList()))
                .param("anchors", texts(principal.anchorKinds()))
                .param("projects", texts(principal.projects()))
                .param("tier", principal.tier())
                .param("model", principal.model())
                .param("created", SqlTime.of(row.createdAt()))
                .param("updated", SqlTime.of(row.updatedAt()));
    }

    private static String[] texts(java.util.Collection<String> values) {
        return values.stream().sorted().toArray(String[]::new);
    }

    private static Row row(ResultSet row) throws SQLException {
        return new Row(
                principal(row, "id"),
                row.getObject("uid", UUID.class),
                SqlTime.instant(row, "created_at"),
                SqlTime.instant(row, "updated_at"));
    }

    /** The principal in a row that has its columns. */
    static Principal principal(ResultSet row, String idColumn) throws SQLException {
        return new Principal(
                row.getString(idColumn),
                PrincipalKind.valueOf(row.getString("kind").toUpperCase(Locale.ROOT)),
                texts(row, "roles").stream()
                        .map(role -> Role.valueOf(role.toUpperCase(Locale.ROOT)))
                        .collect(Collectors.toSet()),
                texts(row, "anchor_kinds"),
                texts(row, "projects"),
                row.getString("tier"),
                row.getString("model"));
    }

    private static Set<String> texts(ResultSet row, String column) throws SQLException {
        return Arrays.stream((String[]) row.getArray(column).getArray())
                .collect(Collectors.toSet());
    }
}
