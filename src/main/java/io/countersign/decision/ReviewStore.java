package io.countersign.decision;

import io.countersign.decision.ChangeSetBody.Judged;
import io.countersign.gate.Assurance;
import io.countersign.kernel.ProjectId;
import io.countersign.kernel.Sha256;
import io.countersign.kernel.SqlTime;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/** The rows of {@code review}. */
@Repository
class ReviewStore {
    private static final Assurance[] ASSURANCES = Assurance.values();

    private final JdbcClient jdbc;
    private final JsonMapper json;

    ReviewStore(JdbcClient jdbc, JsonMapper json) {
        this.jdbc = jdbc;
        this.json = json;
    }

    enum Backend {
        /** A principal judges. */
        EXTERNAL,
        /** The service's own grader judges. */
        GRADER
    }

    /**
     * @param judge the principal that judges; null for a grader
     * @param bundle sealed
     * @param author what it is worth that this principal chose what the judge sees
     * @param verdict null while there is none
     * @param grading how the grader's turn went; null for an external judge or before it
     * @param decisionId of the grader's decision; null before it
     */
    record Row(
            UUID id,
            ProjectId project,
            Backend backend,
            @Nullable String judge,
            String drafterId,
            JsonNode bundle,
            Sha256 bundleSha256,
            Judged changeSet,
            String createdBy,
            Assurance author,
            Instant createdAt,
            @Nullable JsonNode verdict,
            @Nullable Instant verdictAt,
            @Nullable JsonNode grading,
            @Nullable UUID decisionId) {}

    void insert(Row row) {
        jdbc.sql(
                        """
                        insert into review (id, project, backend, judge, drafter_id, bundle,
                            bundle_sha256, change_set_sha256, files, created_by, author, created_at)
                        values (:id, :project, :backend, :judge, :drafter, :bundle, :sha256,
                            :changeSet, :files, :by, :author, :at)
                        """)
                .param("id", row.id())
                .param("project", row.project().value())
                .param("backend", row.backend().name().toLowerCase(java.util.Locale.ROOT))
                .param("judge", row.judge())
                .param("drafter", row.drafterId())
                .param("bundle", row.bundle().toString())
                .param("sha256", row.bundleSha256().hex())
                .param("changeSet", row.changeSet().sha256().hex())
                .param("files", row.changeSet().json().toString())
                .param("by", row.createdBy())
                .param("author", row.author().ordinal())
                .param("at", SqlTime.of(row.createdAt()))
                .update();
    }

    /** Stores the judge's verdict; false when there is one. */
    boolean answer(UUID id, JsonNode verdict, Instant at) {
        return jdbc.sql(
                                """
                                update review set verdict = :verdict, verdict_at = :at
                                where id = :id and verdict is null
                                """)
                        .param("verdict", verdict.toString())
                        .param("at", SqlTime.of(at))
                        .param("id", id)
                        .update()
                == 1;
    }

    /** Stores what the grader came to; false when another process was faster. */
    boolean decided(
            UUID id, @Nullable JsonNode verdict, JsonNode grading, UUID decision, Instant at) {
        return jdbc.sql(
                                """
                                update review
                                set verdict = :verdict, verdict_at = :at, grading = :grading,
                                    decision_id = :decision
                                where id = :id and decision_id is null
                                """)
                        .param("verdict", verdict == null ? null : verdict.toString())
                        .param("at", verdict == null ? null : SqlTime.of(at))
                        .param("grading", grading.toString())
                        .param("decision", decision)
                        .param("id", id)
                        .update()
                == 1;
    }

    Optional<Row> find(UUID id) {
        return jdbc.sql("select * from review where id = :id")
                .param("id", id)
                .query(this::row)
                .optional();
    }

    private Row row(ResultSet row, int n) throws SQLException {
        return new Row(
                row.getObject("id", UUID.class),
                new ProjectId(row.getString("project")),
                Backend.valueOf(row.getString("backend").toUpperCase(java.util.Locale.ROOT)),
                row.getString("judge"),
                row.getString("drafter_id"),
                json.readTree(row.getString("bundle")),
                new Sha256(row.getString("bundle_sha256")),
                Judged.read(json.readTree(row.getString("files"))),
                row.getString("created_by"),
                ASSURANCES[row.getInt("author")],
                SqlTime.instant(row, "created_at"),
                tree(row.getString("verdict")),
                SqlTime.nullable(row, "verdict_at"),
                tree(row.getString("grading")),
                row.getObject("decision_id", UUID.class));
    }

    private @Nullable JsonNode tree(@Nullable String text) {
        return text == null ? null : json.readTree(text);
    }
}
