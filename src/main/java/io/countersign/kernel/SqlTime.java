package io.countersign.kernel;

import org.jspecify.annotations.Nullable;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;

/** {@code timestamptz} columns: JDBC knows {@code OffsetDateTime} and not {@code Instant}. */
public final class SqlTime {
    private static final Instant FIRST = Instant.parse("0001-01-01T00:00:00Z");
    private static final Instant AFTER_LAST = Instant.parse("+10000-01-01T00:00:00Z");

    private SqlTime() {}

    /**
     * Reads a time that a caller sent.
     *
     * @throws java.time.DateTimeException when it is not ISO-8601, or not of the years 0001 to
     *     9999: Postgres keeps fewer than {@code Instant} has, and RFC 3339 writes no others
     */
    public static Instant parse(String text) {
        Instant time = Instant.parse(text);
        if (!fits(time)) {
            throw new DateTimeException("not of the years 0001 to 9999");
        }
        return time;
    }

    /** Whether it is of the years 0001 to 9999. */
    static boolean fits(Instant time) {
        return !time.isBefore(FIRST) && time.isBefore(AFTER_LAST);
    }

    /** A parameter for a {@code timestamptz} column. */
    public static OffsetDateTime of(Instant instant) {
        return instant.atOffset(ZoneOffset.UTC);
    }

    /** A parameter for a {@code timestamptz} column that may be null. */
    public static @Nullable OffsetDateTime ofNullable(@Nullable Instant instant) {
        return instant == null ? null : of(instant);
    }

    /** The instant in a column that is never null. */
    public static Instant instant(ResultSet row, String column) throws SQLException {
        return row.getObject(column, OffsetDateTime.class).toInstant();
    }

    /** The instant in a column that may be null. */
    public static @Nullable Instant nullable(ResultSet row, String column) throws SQLException {
        OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
        return time == null ? null : time.toInstant();
    }
}
