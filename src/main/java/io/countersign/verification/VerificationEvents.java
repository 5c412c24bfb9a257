package io.countersign.verification;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Repository;

import java.sql.Timestamp;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;

/** The rows of {@code verification_event}: append-only, in order of their sequence. */
@Repository
class VerificationEvents {
    private final JdbcTemplate jdbc;

    VerificationEvents(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    void insert(VerificationId id, List<VerificationEvent> events) {
        if (events.isEmpty()) return;
        List<Object[]> rows =
                events.stream()
                        .map(
                                event ->
                                        new Object[] {
                                            id.value(),
                                            event.sequence(),
                                            event.type().wire(),
                                            event.data(),
                                            Timestamp.from(event.at())
                                        })
                        .toList();
        jdbc.batchUpdate(
                "INSERT INTO verification_event (verification_id, sequence, type, data, at)"
                        + " VALUES (?, ?, ?, ?::jsonb, ?)",
                rows);
    }

    /** The committed events after {@code sequence}, oldest first. */
    List<VerificationEvent> after(VerificationId id, int sequence) {
        return jdbc.query(
                "SELECT sequence, type, data::text AS data, at FROM verification_event"
                        + " WHERE verification_id = ? AND sequence > ? ORDER BY sequence",
                (row, n) ->
                        new VerificationEvent(
                                row.getInt("sequence"),
                                VerificationEvent.Type.valueOf(
                                        row.getString("type").toUpperCase(Locale.ROOT)),
                                row.getString("data"),
                                row.getTimestamp("at").toInstant()),
                id.value(),
                sequence);
    }

    int lastSequence(VerificationId id) {
        return latestSequences(List.of(id)).getOrDefault(id, 0);
    }

    /** The last committed sequence of each verification that has any. */
    Map<VerificationId, Integer> latestSequences(Collection<VerificationId> ids) {
        UUID[] uuids = ids.stream().map(VerificationId::value).toArray(UUID[]::new);
        Map<VerificationId, Integer> latest = new HashMap<>();
        jdbc.query(
                "SELECT verification_id, max(sequence) AS sequence FROM verification_event"
                        + " WHERE verification_id = ANY(?) GROUP BY verification_id",
                row -> {
                    latest.put(
                            new VerificationId(row.getObject("verification_id", UUID.class)),
                            row.getInt("sequence"));
                },
                (Object) uuids);
        return latest;
    }
}
