package io.countersign.audit;

import io.countersign.kernel.Sha256;
import io.countersign.kernel.SqlTime;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** The rows of {@code audit_batch}. */
@Repository
class HeadStore {
    private static final long LOCK = 0x636f756e74617564L;

    private final JdbcClient jdbc;

    HeadStore(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** A head and the digest that it was stored with. */
    record Stored(AuditHead head, Sha256 sha256) {}

    /** Makes this transaction the only one that seals; false when another replica does. */
    boolean lock() {
        return jdbc.sql("select pg_try_advisory_xact_lock(:lock)")
                .param("lock", LOCK)
                .query(Boolean.class)
                .single();
    }

    Optional<Stored> last() {
        return jdbc.sql("select * from audit_batch order by serial desc limit 1")
                .query((row, n) -> stored(row))
                .optional();
    }

    Optional<Stored> last(String project) {
        return jdbc.sql(
                        """
                        select * from audit_batch where project = :project
                        order by number desc limit 1
                        """)
                .param("project", project)
                .query((row, n) -> stored(row))
                .optional();
    }

    void insert(AuditHead head) {
        HeadSigner.Signature signature = head.signature();
        jdbc.sql(
                        """
                        insert into audit_batch (serial, project, number, events, rows_sha256,
                            previous_sha256, previous_serial_sha256, sealed_at, sha256, key_id,
                            signature)
                        values (:serial, :project, :number, :events, :rows, :previous,
                            :previousSerial, :sealed, :sha256, :key, :signature)
                        """)
                .param("serial", head.serial())
                .param("project", head.project())
                .param("number", head.number())
                .param("events", head.events())
                .param("rows", head.rows().hex())
                .param("previous", head.previous().hex())
                .param("previousSerial", head.previousSerial().hex())
                .param("sealed", SqlTime.of(head.sealedAt()))
                .param("sha256", head.digest().hex())
                .param("key", signature == null ? null : signature.keyId())
                .param("signature", signature == null ? null : signature.value())
                .update();
    }

    /** Up to {@code limit} heads of a project after a number, in order. */
    List<Stored> after(String project, long number, int limit) {
        return jdbc.sql(
                        """
                        select * from audit_batch where project = :project and number > :number
                        order by number limit :limit
                        """)
                .param("project", project)
                .param("number", number)
                .param("limit", limit)
                .query((row, n) -> stored(row))
                .list();
    }

    /** Serials whose link to the head before is broken, because that head is gone or another. */
    List<Long> brokenSerials() {
        return jdbc.sql(
                        """
                        select serial from (
                            select serial, previous_serial_sha256,
                                lag(serial, 1, 0::bigint) over chain as before,
                                lag(sha256, 1, :genesis) over chain as before_sha256
                            from audit_batch window chain as (order by serial)) linked
                        where before <> serial - 1 or before_sha256 <> previous_serial_sha256
                        order by serial limit 100
                        """)
                .param("genesis", AuditHead.GENESIS.hex())
                .query((row, n) -> row.getLong("serial"))
                .list();
    }

    boolean contains(Sha256 head) {
        return jdbc.sql("select exists (select from audit_batch where sha256 = :sha256)")
                .param("sha256", head.hex())
                .query(Boolean.class)
                .single();
    }

    private static Stored stored(ResultSet row) throws SQLException {
        String key = row.getString("key_id");
        String signature = row.getString("signature");
        AuditHead head =
                new AuditHead(
                        row.getLong("serial"),
                        row.getString("project"),
                        row.getLong("number"),
                        row.getInt("events"),
                        new Sha256(row.getString("rows_sha256")),
                        new Sha256(row.getString("previous_sha256")),
                        new Sha256(row.getString("previous_serial_sha256")),
                        SqlTime.instant(row, "sealed_at"),
                        key == null || signature == null
                                ? null
                                : new HeadSigner.Signature(key, signature));
        return new Stored(head, new Sha256(row.getString("sha256")));
    }
}
