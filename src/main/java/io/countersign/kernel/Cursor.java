package io.countersign.kernel;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Base64;
import java.util.UUID;

/**
 * The place in a listing (newest first) after which the next page starts: the sort key of the last
 * row that the caller saw. It is opaque to callers and grants nothing, so a check sum is enough to
 * tell a cut or edited one from a good one.
 *
 * @param at the row's time, in microseconds as Postgres keeps it
 * @param id the row's id, for rows of the same time
 */
public record Cursor(Instant at, UUID id) {
    private static final int BODY = 3 * Long.BYTES;
    private static final int SUM = 6;

    public Cursor {
        at = at.truncatedTo(ChronoUnit.MICROS);
    }

    /** The cursor as callers see it. */
    public String encode() {
        long micros = ChronoUnit.MICROS.between(Instant.EPOCH, at);
        byte[] body =
                ByteBuffer.allocate(BODY)
                        .putLong(micros)
                        .putLong(id.getMostSignificantBits())
                        .putLong(id.getLeastSignificantBits())
                        .array();
        byte[] whole = ByteBuffer.allocate(BODY + SUM).put(body).put(sum(body)).array();
        return Base64.getUrlEncoder().withoutPadding().encodeToString(whole);
    }

    /**
     * Reads the {@code cursor} parameter of a listing.
     *
     * @throws ProblemException 422 when this service did not make it
     */
    public static Cursor parse(String text) {
        byte[] whole = decode(text);
        if (whole.length != BODY + SUM) {
            throw invalid();
        }
        byte[] body = Arrays.copyOf(whole, BODY);
        if (!MessageDigest.isEqual(sum(body), Arrays.copyOfRange(whole, BODY, whole.length))) {
            throw invalid();
        }
        ByteBuffer buffer = ByteBuffer.wrap(body);
        Instant at = Instant.EPOCH.plus(buffer.getLong(), ChronoUnit.MICROS);
        if (!SqlTime.fits(at)) {
            throw invalid();
        }
        return new Cursor(at, new UUID(buffer.getLong(), buffer.getLong()));
    }

    private static byte[] decode(String text) {
        try {
            return Base64.getUrlDecoder().decode(text);
        } catch (IllegalArgumentException e) {
            throw invalid();
        }
    }

    private static byte[] sum(byte[] body) {
        MessageDigest digest = Sha256.newDigest();
        digest.update("countersign.cursor.v1".getBytes(java.nio.charset.StandardCharsets.US_ASCII));
        return Arrays.copyOf(digest.digest(body), SUM);
    }

    private static ProblemException invalid() {
        return ProblemException.invalid("?cursor", "is not a cursor that this service gave");
    }
}
