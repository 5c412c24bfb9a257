package io.countersign.audit;

import io.countersign.kernel.Caller;
import io.countersign.kernel.Ids;
import io.countersign.kernel.ProjectId;
import io.countersign.kernel.RequestId;
import io.countersign.kernel.SqlTime;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

import tools.jackson.databind.json.JsonMapper;

import java.time.InstantSource;
import java.util.Map;

/**
 * Where every write by a principal is recorded, in the transaction of the write itself: neither is
 * there without the other.
 */
@Service
public class AuditLog {
    private final JdbcClient jdbc;
    private final JsonMapper json;
    private final Ids ids;
    private final InstantSource clock;

    AuditLog(JdbcClient jdbc, JsonMapper json, Ids ids, InstantSource clock) {
        this.jdbc = jdbc;
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
            Map<String, ?> detail) {
        jdbc.sql(
                        """
                        insert into audit_event (id, project, principal, principal_kind, action,
                            subject, request_id, at, detail)
                        values (:id, :project, :principal, :kind, :action, :subject, :request, :at,
                            :detail::jsonb)
                        """)
                .param("id", ids.next())
                .param("project", project.value())
                .param("principal", caller.id())
                .param("kind", caller.kind().wire())
                .param("action", action)
                .param("subject", subject)
                .param("request", RequestId.current())
                .param("at", SqlTime.of(clock.instant()))
                .param("detail", json.writeValueAsString(detail))
                .update();
    }
}
