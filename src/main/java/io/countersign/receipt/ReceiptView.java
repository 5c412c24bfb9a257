package io.countersign.receipt;

import com.fasterxml.jackson.annotation.JsonUnwrapped;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/**
 * A receipt with what became of it.
 *
 * @param consumedAt null while it is not consumed
 */
record ReceiptView(
        @JsonUnwrapped Receipt receipt,
        @Nullable Instant consumedAt,
        @Nullable String consumedBy,
        @Nullable String purpose) {
    static ReceiptView of(Receipt receipt, ReceiptRow row) {
        ReceiptRow.Consumption consumed = row.consumed();
        return consumed == null
                ? new ReceiptView(receipt, null, null, null)
                : new ReceiptView(receipt, consumed.at(), consumed.by(), consumed.purpose());
    }
}
