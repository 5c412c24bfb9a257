package io.countersign.access;

import io.countersign.kernel.Sha256;
import io.countersign.kernel.SqlTime;

import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The rows of {@code api_key}. */
@Repository
class KeyStore {
    private final JdbcClient jdbc;

    KeyStore(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** What is known of a key, without its secret. */
    record KeyInfo(
            UUID keyId,
            Instant createdAt,
            String createdBy,
            @Nullable Instant expiresAt,
            @Nullable Instant revokedAt,
            @Nullable Instant lastUsedAt) {}

    /** A key and whom it stands for. */
    record Found(
            UUID keyId,
            Sha256 secret,
            Principal principal,
            @Nullable Instant expiresAt,
            @Nullable Instant revokedAt,
            @Nullable Instant lastUsedAt) {}

    Optional<Found> find(Sha256 secret) {
        return jdbc.sql(
                        """
                        select k.id as key_id, k.secret_sha256, k.expires_at, k.revoked_at,
                            k.last_used_at, p.*
                        from api_key k join principal p on p.id = k.principal
                        where k.secret_sha256 = :secret
                        """)
                .param("secret", secret.hex())
                .query(
                        (row, n) ->
                                new Found(
                                        row.getObject("key_id", UUID.class),
                                        new Sha256(row.getString("secret_sha256")),
                                        PrincipalStore.principal(row, "id"),
                                        SqlTime.nullable(row, "expires_at"),
                                        SqlTime.nullable(row, "revoked_at"),
                                        SqlTime.nullable(row, "last_used_at")))
                .optional();
    }

    List<KeyInfo> of(String principal) {
        return jdbc.sql(
                        """
                        select id, created_at, created_by, expires_at, revoked_at, last_used_at
                        from api_key where principal = :principal
                        order by created_at desc, id desc limit 1000
                        """)
                .param("principal", principal)
                .query(
                        (row, n) ->
                                new KeyInfo(
                                        row.getObject("id", UUID.class),
                                        SqlTime.instant(row, "created_at"),
                                        row.getString("created_by"),
                                        SqlTime.nullable(row, "expires_at"),
                                        SqlTime.nullable(row, "revoked_at"),
                                        SqlTime.nullable(row, "last_used_at")))
                .list();
    }

    void insert(String principal, Sha256 secret, KeyInfo key) {
        jdbc.sql(
                        """
                        insert into api_key (id, principal, secret_sha256, created_at, created_by,
                            expires_at)
                        values (:id, :principal, :secret, :created, :by, :expires)
                        """)
                .param("id", key.keyId())
                .param("principal", principal)
                .param("secret", secret.hex())
                .param("created", SqlTime.of(key.createdAt()))
                .param("by", key.createdBy())
                .param("expires", SqlTime.ofNullable(key.expiresAt()))
                .update();
    }

    /** The number of keys that this revoked: none when it is unknown or was revoked before. */
    int revoke(String principal, UUID keyId, Instant now) {
        return jdbc.sql(
                        """
                        update api_key set revoked_at = :now
                        where id = :id and principal = :principal and revoked_at is null
                        """)
                .param("now", SqlTime.of(now))
                .param("id", keyId)
                .param("principal", principal)
                .update();
    }

    boolean exists(String principal, UUID keyId) {
        return jdbc.sql("select exists (select from api_key where id = :id and principal = :p)")
                .param("id", keyId)
                .param("p", principal)
                .query(Boolean.class)
                .single();
    }

    /** Notes that a key was used, unless that was noted within {@code every}. */
    void touch(UUID keyId, Instant now, Duration every) {
        jdbc.sql(
                        """
                        update api_key set last_used_at = :now
                        where id = :id and (last_used_at is null or last_used_at <= :before)
                        """)
                .param("now", SqlTime.of(now))
                .param("before", SqlTime.of(now.minus(every)))
                .param("id", keyId)
                .update();
    }

    /** Whether an administrator of all projects has a key that works. */
    boolean hasAdministrator(Instant now) {
        return jdbc.sql(
                        """
                        select exists (
                            select from principal p join api_key k on k.principal = p.id
                            where 'admin' = any (p.roles) and '*' = any (p.projects)
                              and k.revoked_at is null
                              and (k.expires_at is null or k.expires_at > :now))
                        """)
                .param("now", SqlTime.of(now))
                .query(Boolean.class)
                .single();
    }
}
