package io.countersign.receipt;

import io.countersign.verification.VerificationId;
import io.countersign.verification.VerificationMember;

import org.springframework.stereotype.Component;

import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/** The member {@code receipt} of the verification JSON. */
@Component
class ReceiptMember implements VerificationMember {
    private final ReceiptStore store;
    private final Receipts receipts;

    ReceiptMember(ReceiptStore store, Receipts receipts) {
        this.store = store;
        this.receipts = receipts;
    }

    @Override
    public String name() {
        return "receipt";
    }

    @Override
    public Map<VerificationId, Object> values(Collection<VerificationId> ids) {
        return store.of(ids).stream()
                .collect(
                        Collectors.toMap(
                                row ->
                                        new VerificationId(
                                                Objects.requireNonNull(row.verificationId())),
                                row -> ReceiptView.of(receipts.receipt(row), row)));
    }
}
