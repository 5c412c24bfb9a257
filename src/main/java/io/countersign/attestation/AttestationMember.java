package io.countersign.attestation;

import io.countersign.kernel.Sha256;
import io.countersign.verification.VerificationId;
import io.countersign.verification.VerificationMember;

import org.springframework.stereotype.Component;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** The member {@code attestation} of the verification JSON. */
@Component
class AttestationMember implements VerificationMember {
    private final AttestationStore store;

    AttestationMember(AttestationStore store) {
        this.store = store;
    }

    /**
     * @param id of the summary
     * @param result PASSED or FAILED
     * @param predicateTypes what there is to fetch at {@code href}
     */
    record View(
            UUID id,
            String result,
            Sha256 statementSha256,
            String keyId,
            List<String> predicateTypes,
            String href) {}

    @Override
    public String name() {
        return "attestation";
    }

    @Override
    public Map<VerificationId, Object> values(Collection<VerificationId> ids) {
        Map<UUID, List<AttestationStore.Row>> rows = new HashMap<>();
        for (AttestationStore.Row row : store.of(ids)) {
            rows.computeIfAbsent(row.verificationId(), id -> new ArrayList<>()).add(row);
        }
        Map<VerificationId, Object> values = new HashMap<>();
        rows.forEach((id, of) -> values.put(new VerificationId(id), view(id, of)));
        return values;
    }

    /** The summary is always there, and sorts first. */
    private static View view(UUID verification, List<AttestationStore.Row> rows) {
        AttestationStore.Row summary = rows.getFirst();
        return new View(
                summary.id(),
                summary.result(),
                summary.statement(),
                summary.keyId(),
                rows.stream().map(AttestationStore.Row::predicateType).toList(),
                "/v1/verifications/" + verification + "/attestation");
    }
}
