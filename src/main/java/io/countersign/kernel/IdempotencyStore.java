package io.countersign.kernel;

import org.springframework.jdbc.core.simple.JdbcClient;

import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** The rows of {@code idempotency_key}. */
final class IdempotencyStore {
    private static final TypeReference<Map<String, String>> HEADERS = new TypeReference<>() {};

    private final JdbcClient jdbc;
    private final JsonMapper json;

    IdempotencyStore(JdbcClient jdbc, JsonMapper json) {
        this.jdbc = jdbc;
        this.json = json;
    }

    /** A stored answer and the digest of the request that earned it. */
    record Found(Sha256 request, StoredAnswer answer) {}

    /** Takes the key for the rest of the transaction; false when another one has it. */
    boolean lock(IdempotencyKeys.Slot slot) {
        return jdbc.sql("select pg_try_advisory_xact_lock(:lock)")
                .param("lock", slot.lock())
                .query(Boolean.class)
                .single();
    }

    Optional<Found> find(IdempotencyKeys.Slot slot, Instant now) {
        return jdbc.sql(
                        """
                        select body_sha256, status, headers::text as headers, body
                        from idempotency_key
                        where principal = :principal and route = :route and key = :key
                          and expires_at > :now
                        """)
                .param("principal", slot.caller())
                .param("route", slot.route())
                .param("key", slot.key())
                .param("now", SqlTime.of(now))
                .query(
                        (row, n) ->
                                new Found(
                                        new Sha256(row.getString("body_sha256")),
                                        new StoredAnswer(
                                                row.getInt("status"),
                                                json.readValue(row.getString("headers"), HEADERS),
                                                row.getString("body"),
                                                true)))
                .optional();
    }

    /** Records the answer, in the place of an expired one if there is one. */
    void insert(IdempotencyKeys.Slot slot, StoredAnswer answer, Instant now, Instant expires) {
        jdbc.sql(
                        """
                        insert into idempotency_key (principal, route, key, body_sha256, status,
                            headers, body, created_at, expires_at)
                        values (:principal, :route, :key, :sha256, :status, :headers::jsonb, :body,
                            :now, :expires)
                        on conflict (principal, route, key) do update
                        set body_sha256 = excluded.body_sha256, status = excluded.status,
                            headers = excluded.headers, body = excluded.body,
                            created_at = excluded.created_at, expires_at = excluded.expires_at
                        """)
                .param("principal", slot.caller())
                .param("route", slot.route())
                .param("key", slot.key())
                .param("sha256", slot.request().hex())
                .param("status", answer.status())
                .param("headers", json.writeValueAsString(answer.headers()))
                .param("body", answer.body())
                .param("now", SqlTime.of(now))
                .param("expires", SqlTime.of(expires))
                .update();
    }

    /** Deletes up to 10,000 rows that are past their time; answers how many. */
    int purge(Instant now) {
        return jdbc.sql(
                        """
                        delete from idempotency_key where ctid in (
                            select ctid from idempotency_key where expires_at <= :now limit 10000)
                        """)
                .param("now", SqlTime.of(now))
                .update();
    }
}
