package io.countersign.kernel;

import org.jspecify.annotations.Nullable;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;

/** {@code timestamptz} columns: JDBC knows {@code OffsetDateTime} and not {@code Instant}. */
public final class SqlTime {
    private SqlTime() {}

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
