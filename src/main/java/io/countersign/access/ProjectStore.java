package io.countersign.access;

import io.countersign.kernel.ProjectId;
import io.countersign.kernel.Sha256;
import io.countersign.kernel.SqlTime;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

import tools.jackson.databind.json.JsonMapper;

import java.time.Instant;
import java.util.Optional;

/** The rows of {@code project}. */
@Repository
class ProjectStore {
    private final JdbcClient jdbc;
    private final JsonMapper json;

    ProjectStore(JdbcClient jdbc, JsonMapper json) {
        this.jdbc = jdbc;
        this.json = json;
    }

    Optional<ProjectPolicy> find(ProjectId project) {
        return jdbc.sql("select policy::text as policy, policy_sha256 from project where id = :id")
                .param("id", project.value())
                .query(
                        (row, n) ->
                                new ProjectPolicy(
                                        json.readTree(row.getString("policy")),
                                        new Sha256(row.getString("policy_sha256"))))
                .optional();
    }

    /** Makes writers of one project's policy take turns until the transaction ends. */
    void lock(ProjectId project) {
        jdbc.sql("select pg_advisory_xact_lock(hashtextextended('project-policy ' || :id, 0))")
                .param("id", project.value())
                .query((row, n) -> 1)
                .single();
    }

    void save(ProjectId project, ProjectPolicy policy, String by, Instant now) {
        jdbc.sql(
                        """
                        insert into project (id, policy, policy_sha256, created_at, updated_at,
                            updated_by)
                        values (:id, :policy::jsonb, :digest, :now, :now, :by)
                        on conflict (id) do update
                        set policy = excluded.policy, policy_sha256 = excluded.policy_sha256,
                            updated_at = excluded.updated_at, updated_by = excluded.updated_by
                        """)
                .param("id", project.value())
                .param("policy", json.writeValueAsString(policy.document()))
                .param("digest", policy.digest().hex())
                .param("now", SqlTime.of(now))
                .param("by", by)
                .update();
    }
}
