package io.countersign.decision;

import io.countersign.kernel.Cursor;
import io.countersign.kernel.ProjectId;
import io.countersign.kernel.SqlTime;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

import tools.jackson.databind.json.JsonMapper;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The rows of {@code decision}. */
@Repository
class DecisionStore {
    private final JdbcClient jdbc;
    private final JsonMapper json;

    DecisionStore(JdbcClient jdbc, JsonMapper json) {
        this.jdbc = jdbc;
        this.json = json;
    }

    /**
     * @param verdict as judged, scrubbed; null for none
     * @param attestation as posted, scrubbed; null for none
     */
    record Row(
            DecisionView view,
            String attestor,
            @Nullable String drafterId,
            @Nullable String producerId,
            @Nullable String verdictSha256,
            @Nullable String verdict,
            @Nullable String attestation) {}

    void insert(Row row) {
        DecisionView view = row.view();
        Question.Override override = view.overridden();
        jdbc.sql(
                        """
                        insert into decision (id, project, attestor, exit_code, decision,
                            anchor_kind, drafter_id, producer_id, change_set_sha256, verdict_sha256,
                            verdict, attestation, overridden_by, override_reason, review_id,
                            receipt_id, answer, created_at)
                        values (:id, :project, :attestor, :exitCode, :decision, :anchorKind,
                            :drafter, :producer, :changeSet, :verdictSha256, :verdict, :attestation,
                            :overriddenBy, :overrideReason, :review, :receipt, :answer, :at)
                        """)
                .param("id", view.id())
                .param("project", view.project())
                .param("attestor", row.attestor())
                .param("exitCode", view.exitCode())
                .param("decision", view.decision())
                .param("anchorKind", view.anchorKind())
                .param("drafter", row.drafterId())
                .param("producer", row.producerId())
                .param(
                        "changeSet",
                        view.changeSetSha256() == null ? null : view.changeSetSha256().hex())
                .param("verdictSha256", row.verdictSha256())
                .param("verdict", row.verdict())
                .param("attestation", row.attestation())
                .param("overriddenBy", override == null ? null : override.by())
                .param("overrideReason", override == null ? null : override.reason())
                .param("review", view.reviewId())
                .param("receipt", view.receipt() == null ? null : view.receipt().id())
                .param("answer", json.writeValueAsString(view))
                .param("at", SqlTime.of(view.createdAt()))
                .update();
    }

    Optional<DecisionView> find(UUID id) {
        return jdbc.sql("select answer from decision where id = :id")
                .param("id", id)
                .query(String.class)
                .optional()
                .map(this::view);
    }

    /** Newest first; ids are UUIDv7, so they sort by time. */
    List<DecisionView> page(Collection<ProjectId> projects, @Nullable Cursor after, int limit) {
        return jdbc.sql(
                        """
                        select answer from decision
                        where project = any(:projects) and (:after::uuid is null or id < :after::uuid)
                        order by id desc
                        limit :limit
                        """)
                .param("projects", projects.stream().map(ProjectId::value).toArray(String[]::new))
                .param("after", after == null ? null : after.id())
                .param("limit", limit)
                .query((row, n) -> view(row.getString("answer")))
                .list();
    }

    private DecisionView view(String answer) {
        return json.readValue(answer, DecisionView.class);
    }
}
