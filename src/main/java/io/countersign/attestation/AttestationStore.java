package io.countersign.attestation;

import io.countersign.kernel.ProjectId;
import io.countersign.kernel.Sha256;
import io.countersign.kernel.SqlTime;
import io.countersign.verification.VerificationId;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The rows of {@code attestation} and {@code attestation_subject}. */
@Repository
class AttestationStore {
    private final JdbcClient jdbc;

    AttestationStore(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * @param verificationId null when it is about a decision
     * @param decisionId null when it is about a verification
     * @param payload the canonical statement
     */
    record Row(
            UUID id,
            ProjectId project,
            @Nullable UUID verificationId,
            @Nullable UUID decisionId,
            String predicateType,
            String result,
            Sha256 changeSet,
            Sha256 statement,
            String keyId,
            String payload,
            byte[] signature,
            Instant createdAt) {
        AttestationRef ref() {
            return new AttestationRef(id, statement, keyId);
        }

        Dsse.Envelope envelope() {
            return Dsse.Envelope.of(
                    Dsse.IN_TOTO, payload.getBytes(StandardCharsets.UTF_8), keyId, signature);
        }
    }

    void insert(Row row, List<Sha256> subjects) {
        jdbc.sql(
                        """
                        insert into attestation (id, project, verification_id, decision_id,
                            predicate_type, result, change_set_sha256, statement_sha256, key_id,
                            payload, signature, created_at)
                        values (:id, :project, :verification, :decision, :type, :result, :changeSet,
                            :statement, :key, :payload, :signature, :at)
                        """)
                .param("id", row.id())
                .param("project", row.project().value())
                .param("verification", row.verificationId())
                .param("decision", row.decisionId())
                .param("type", row.predicateType())
                .param("result", row.result())
                .param("changeSet", row.changeSet().hex())
                .param("statement", row.statement().hex())
                .param("key", row.keyId())
                .param("payload", row.payload())
                .param("signature", row.signature())
                .param("at", SqlTime.of(row.createdAt()))
                .update();
        jdbc.sql(
                        """
                        insert into attestation_subject (sha256, attestation_id, project)
                        select unnest(:digests::text[]), :id, :project
                        """)
                .param("digests", hex(subjects))
                .param("id", row.id())
                .param("project", row.project().value())
                .update();
    }

    Optional<Row> find(VerificationId verification, String predicateType) {
        return jdbc.sql(
                        """
                        select * from attestation
                        where verification_id = :verification and predicate_type = :type
                        """)
                .param("verification", verification.value())
                .param("type", predicateType)
                .query(AttestationStore::row)
                .optional();
    }

    /** Everything that is attested of the verifications. */
    List<Row> of(Collection<VerificationId> verifications) {
        if (verifications.isEmpty()) return List.of();
        return jdbc.sql(
                        """
                        select * from attestation where verification_id in (:ids)
                        order by verification_id, predicate_type desc
                        """)
                .param("ids", verifications.stream().map(VerificationId::value).toList())
                .query(AttestationStore::row)
                .list();
    }

    Optional<VerificationId> newestVerification(ProjectId project, Sha256 changeSet) {
        return jdbc.sql(
                        """
                        select a.verification_id from attestation_subject s
                        join attestation a on a.id = s.attestation_id
                        where s.sha256 = :changeSet and s.project = :project
                          and a.change_set_sha256 = :changeSet and a.verification_id is not null
                        order by s.attestation_id desc
                        limit 1
                        """)
                .param("changeSet", changeSet.hex())
                .param("project", project.value())
                .query(UUID.class)
                .optional()
                .map(VerificationId::new);
    }

    /** The projects in which anything is attested of one of the digests. */
    List<ProjectId> projectsOf(Collection<Sha256> digests) {
        return jdbc.sql(
                        """
                        select distinct project from attestation_subject
                        where sha256 = any(:digests)
                        """)
                .param("digests", hex(digests))
                .query((row, n) -> new ProjectId(row.getString("project")))
                .list();
    }

    /** What is attested of the digests in the projects, newest first. */
    List<Row> query(
            Collection<Sha256> digests, Collection<ProjectId> projects, Seek after, int limit) {
        return jdbc.sql(
                        """
                        select a.* from attestation a
                        where a.id in (
                                select s.attestation_id from attestation_subject s
                                where s.sha256 = any(:digests) and s.project = any(:projects))
                          and (:from::uuid is null or a.id < :from::uuid)
                        order by a.id desc
                        limit :limit
                        """)
                .param("digests", hex(digests))
                .param("projects", projects.stream().map(ProjectId::value).toArray(String[]::new))
                .param("from", after.id())
                .param("limit", limit)
                .query(AttestationStore::row)
                .list();
    }

    /**
     * @param id the last row seen (ids are UUIDv7: they sort by time); null for the first page
     */
    record Seek(@Nullable UUID id) {}

    private static String[] hex(Collection<Sha256> digests) {
        return digests.stream().map(Sha256::hex).toArray(String[]::new);
    }

    private static Row row(ResultSet row, int n) throws SQLException {
        return new Row(
                row.getObject("id", UUID.class),
                new ProjectId(row.getString("project")),
                row.getObject("verification_id", UUID.class),
                row.getObject("decision_id", UUID.class),
                row.getString("predicate_type"),
                row.getString("result"),
                new Sha256(row.getString("change_set_sha256")),
                new Sha256(row.getString("statement_sha256")),
                row.getString("key_id"),
                row.getString("payload"),
                row.getBytes("signature"),
                SqlTime.instant(row, "created_at"));
    }
}
