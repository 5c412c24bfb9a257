package io.countersign.attestation;

import io.countersign.kernel.SqlTime;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The rows of {@code signing_key}. */
@Repository
class SigningKeyStore {
    private final JdbcClient jdbc;

    SigningKeyStore(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * @param privateKey encrypted; null when it comes from a mounted file
     */
    record Row(
            String id,
            byte[] publicKey,
            byte @Nullable [] privateKey,
            Instant createdAt,
            String createdBy,
            @Nullable Instant retiredAt) {}

    Optional<Row> active() {
        return jdbc.sql("select * from signing_key where retired_at is null")
                .query(SigningKeyStore::row)
                .optional();
    }

    Optional<Row> find(String id) {
        return jdbc.sql("select * from signing_key where id = :id")
                .param("id", id)
                .query(SigningKeyStore::row)
                .optional();
    }

    /** Every key that ever signed, newest first. */
    List<Row> all() {
        return jdbc.sql("select * from signing_key order by created_at desc, id")
                .query(SigningKeyStore::row)
                .list();
    }

    /** Makes the key the active one; false when there is one already, or the key is known. */
    boolean insertActive(Row row) {
        return jdbc.sql(
                                """
                                insert into signing_key (id, public_key, private_key, created_at,
                                    created_by)
                                values (:id, :public, :private, :at, :by)
                                on conflict do nothing
                                """)
                        .param("id", row.id())
                        .param("public", row.publicKey())
                        .param("private", row.privateKey(), java.sql.Types.BINARY)
                        .param("at", SqlTime.of(row.createdAt()))
                        .param("by", row.createdBy())
                        .update()
                == 1;
    }

    /** Retires whichever key is active; answers how many. */
    int retireActive(Instant now) {
        return jdbc.sql("update signing_key set retired_at = :now where retired_at is null")
                .param("now", SqlTime.of(now))
                .update();
    }

    private static Row row(ResultSet row, int n) throws SQLException {
        return new Row(
                row.getString("id"),
                row.getBytes("public_key"),
                row.getBytes("private_key"),
                SqlTime.instant(row, "created_at"),
                row.getString("created_by"),
                SqlTime.nullable(row, "retired_at"));
    }
}
