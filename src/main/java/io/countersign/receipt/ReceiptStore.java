package io.countersign.receipt;

import io.countersign.gate.Assurance;
import io.countersign.kernel.Caller;
import io.countersign.kernel.ProjectId;
import io.countersign.kernel.Sha256;
import io.countersign.kernel.SqlTime;
import io.countersign.receipt.ReceiptRow.Consumption;
import io.countersign.verification.VerificationId;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The rows of {@code receipt}. */
@Repository
class ReceiptStore {
    private static final Assurance[] ASSURANCES = Assurance.values();

    private final JdbcClient jdbc;

    ReceiptStore(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    void insert(ReceiptRow row) {
        jdbc.sql(
                        """
                        insert into receipt (id, project, verification_id, decision_id,
                            attestation_id, nonce, change_set_sha256, tree_sha256, dod_sha256,
                            assurance, min_assurance, issued_at, expires_at, document, key_id,
                            signature, files)
                        values (:id, :project, :verification, :decision, :attestation, :nonce,
                            :changeSet, :tree, :dod, :assurance, :minAssurance, :issued, :expires,
                            :document, :key, :signature, :files)
                        """)
                .param("id", row.id())
                .param("project", row.project().value())
                .param("verification", row.verificationId())
                .param("decision", row.decisionId())
                .param("attestation", row.attestationId())
                .param("nonce", row.nonce())
                .param("changeSet", row.changeSet().hex())
                .param("tree", hex(row.tree()))
                .param("dod", hex(row.dod()))
                .param("assurance", row.assurance().ordinal())
                .param("minAssurance", row.minAssurance().ordinal())
                .param("issued", SqlTime.of(row.issuedAt()))
                .param("expires", SqlTime.of(row.expiresAt()))
                .param("document", row.document())
                .param("key", row.keyId())
                .param("signature", row.signature())
                .param("files", row.files())
                .update();
    }

    /**
     * Spends the receipt if it meets the demand: one statement decides, so of any number of
     * concurrent calls on any number of replicas one at most gets it. The conditions are those of
     * {@link Refusals}.
     *
     * @param latestIssue receipts that were issued later are not valid yet
     */
    Optional<ReceiptRow> consume(
            UUID id,
            Caller caller,
            Demand demand,
            @Nullable String purpose,
            Instant now,
            Instant latestIssue) {
        Assurance asked = demand.minAssurance();
        return jdbc.sql(
                        """
                        update receipt
                        set consumed_at = :now, consumed_by = :by, purpose = :purpose
                        where id = :id
                          and (:everywhere or project = any(:projects))
                          and consumed_at is null
                          and expires_at > :now
                          and issued_at <= :latestIssue
                          and change_set_sha256 = :changeSet
                          and (:tree::text is null or tree_sha256 = :tree::text)
                          and (:dod::text is null or dod_sha256 = :dod::text)
                          and (:newest::timestamptz is null or issued_at >= :newest::timestamptz)
                          and assurance >= min_assurance
                          and assurance >= :minAssurance
                        returning *
                        """)
                .param("now", SqlTime.of(now))
                .param("by", caller.id())
                .param("purpose", purpose)
                .param("id", id)
                .param("everywhere", caller.projects().contains("*"))
                .param("projects", caller.projects().toArray(String[]::new))
                .param("latestIssue", SqlTime.of(latestIssue))
                .param("changeSet", demand.changeSet().hex())
                .param("tree", hex(demand.treeSha256()))
                .param("dod", hex(demand.requiredDodSha256()))
                .param("newest", SqlTime.ofNullable(demand.newestMtime()))
                .param("minAssurance", asked == null ? 0 : asked.ordinal())
                .query(ReceiptStore::row)
                .optional();
    }

    Optional<ReceiptRow> find(UUID id) {
        return jdbc.sql("select * from receipt where id = :id")
                .param("id", id)
                .query(ReceiptStore::row)
                .optional();
    }

    List<ReceiptRow> of(Collection<VerificationId> verifications) {
        if (verifications.isEmpty()) return List.of();
        return jdbc.sql("select * from receipt where verification_id in (:ids)")
                .param("ids", verifications.stream().map(VerificationId::value).toList())
                .query(ReceiptStore::row)
                .list();
    }

    private static @Nullable String hex(@Nullable Sha256 sha256) {
        return sha256 == null ? null : sha256.hex();
    }

    private static @Nullable Sha256 sha256(@Nullable String hex) {
        return hex == null ? null : new Sha256(hex);
    }

    private static ReceiptRow row(ResultSet row, int n) throws SQLException {
        Instant consumedAt = SqlTime.nullable(row, "consumed_at");
        return new ReceiptRow(
                row.getObject("id", UUID.class),
                new ProjectId(row.getString("project")),
                row.getObject("verification_id", UUID.class),
                row.getObject("decision_id", UUID.class),
                row.getObject("attestation_id", UUID.class),
                row.getString("nonce"),
                new Sha256(row.getString("change_set_sha256")),
                sha256(row.getString("tree_sha256")),
                sha256(row.getString("dod_sha256")),
                ASSURANCES[row.getInt("assurance")],
                ASSURANCES[row.getInt("min_assurance")],
                SqlTime.instant(row, "issued_at"),
                SqlTime.instant(row, "expires_at"),
                row.getString("document"),
                row.getString("key_id"),
                row.getBytes("signature"),
                row.getString("files"),
                consumedAt == null
                        ? null
                        : new Consumption(
                                consumedAt,
                                row.getString("consumed_by"),
                                row.getString("purpose")));
    }
}
