package io.countersign.verification;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/**
 * Which verifications a caller wants to see; null members do not filter.
 *
 * @param path one that was changed in it
 * @param limit 1 to 200
 * @param cursor as a page's {@code next} gave it
 */
record HistoryQuery(
        @Nullable String project,
        @Nullable String status,
        @Nullable Boolean accepted,
        @Nullable String method,
        @Nullable String cause,
        @Nullable String producer,
        @Nullable String model,
        @Nullable Instant from,
        @Nullable Instant to,
        @Nullable String path,
        @Nullable Integer limit,
        @Nullable String cursor) {}
