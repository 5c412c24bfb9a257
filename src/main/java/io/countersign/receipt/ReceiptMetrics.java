package io.countersign.receipt;

import io.countersign.attestation.Summary;
import io.countersign.kernel.ProblemCode;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import java.util.List;

/** Counts receipts; what a transaction did counts once it is committed. */
@Component
class ReceiptMetrics {
    private static final List<ProblemCode> REASONS =
            List.of(
                    ProblemCode.RECEIPT_REPLAYED,
                    ProblemCode.RECEIPT_STALE,
                    ProblemCode.RECEIPT_NOT_YET_VALID,
                    ProblemCode.CHANGE_SET_MISMATCH,
                    ProblemCode.TREE_MISMATCH,
                    ProblemCode.DOD_MISMATCH,
                    ProblemCode.RECEIPT_PREDATES_CHANGE,
                    ProblemCode.ASSURANCE_TOO_LOW);

    private final MeterRegistry meters;
    private final Counter ofVerifications;
    private final Counter ofDecisions;
    private final Counter consumed;

    ReceiptMetrics(MeterRegistry meters) {
        this.meters = meters;
        this.ofVerifications = issuedFor("verification");
        this.ofDecisions = issuedFor("decision");
        this.consumed =
                Counter.builder("countersign.receipts.consumed")
                        .description("Receipts that were spent")
                        .register(meters);
        // From the start, so that a first refusal is seen as an increase.
        REASONS.forEach(this::refusals);
    }

    private Counter issuedFor(String origin) {
        return Counter.builder("countersign.receipts.issued")
                .description("Receipts that were issued")
                .tag("origin", origin)
                .register(meters);
    }

    void issued(Summary.Origin origin) {
        afterCommit(
                switch (origin) {
                    case Summary.Origin.Verification verification -> ofVerifications;
                    case Summary.Origin.Decision decision -> ofDecisions;
                });
    }

    void consumed() {
        afterCommit(consumed);
    }

    /** An attempt to spend a receipt that was refused. */
    void refused(ProblemCode reason) {
        refusals(reason).increment();
    }

    private Counter refusals(ProblemCode reason) {
        return Counter.builder("countersign.receipts.refused")
                .description("Attempts to spend a receipt that were refused")
                .tag("reason", reason.code())
                .register(meters);
    }

    private static void afterCommit(Counter counter) {
        TransactionSynchronizationManager.registerSynchronization(
                new TransactionSynchronization() {
                    @Override
                    public void afterCommit() {
                        counter.increment();
                    }
                });
    }
}
