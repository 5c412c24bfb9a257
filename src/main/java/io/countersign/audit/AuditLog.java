package io.countersign.audit;

import io.countersign.kernel.Caller;
import io.countersign.kernel.Ids;
import io.countersign.kernel.ProjectId;
import io.countersign.kernel.RequestId;

import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

import tools.jackson.databind.json.JsonMapper;

import java.time.InstantSource;
import java.util.Map;

/**
 * Where every write by a principal is recorded, in the transaction of the write itself: neither is
 * there without the other. Rows are sealed later, in batches, so that no write waits for another.
 */
@Service
public class AuditLog {
    private final AuditStore store;
    private final JsonMapper json;
    private final Ids ids;
    private final InstantSource clock;

    AuditLog(AuditStore store, JsonMapper json, Ids ids, InstantSource clock) {
        this.store = store;
        this.json = json;
        this.ids = ids;
        this.clock = clock;
    }

    /**
     * Records one write. Needs a transaction.
     *
     * @param project the project it belongs to, or {@link ProjectId#SERVER}
     * @param action what was done, for example {@code receipt.consumed}
     * @param subject the id of what it was done to
     * @param detail facts that explain it; never a secret
     */
    @Transactional(propagation = Propagation.MANDATORY)
    public void record(
            Caller caller,
            ProjectId project,
            String action,
            String subject,
            Map<String, ? extends @Nullable Object> detail) {
        store.insert(
                new AuditEvent(
                        ids.next(),
                        clock.instant(),
                        project.value(),
                        caller.id(),
                        caller.kind(),
                        action,
                        subject,
                        RequestId.current(),
                        json.valueToTree(detail)));
    }
}
