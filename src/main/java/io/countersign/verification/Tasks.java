package io.countersign.verification;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import java.sql.Timestamp;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Schedules durable work inside the caller's transaction. db-scheduler does not see such a task
 * before its poll, so after the commit this process's workers are woken at once and those of other
 * replicas through {@code NOTIFY}; polling is the fallback.
 */
@Component
class Tasks {
    /** The channel on which workers of all replicas listen. */
    static final String CHANNEL = "countersign_work";

    private static final Logger log = LoggerFactory.getLogger(Tasks.class);

    /** Published in this process when due work was committed. */
    record WorkIsDue(Lane lane) {}

    private final JdbcTemplate jdbc;
    private final ApplicationEventPublisher publisher;
    private final AtomicBoolean notify = new AtomicBoolean();

    Tasks(JdbcTemplate jdbc, ApplicationEventPublisher publisher) {
        this.jdbc = jdbc;
        this.publisher = publisher;
    }

    /** Inserts the task; a Spring transaction must be active. */
    void schedule(Lane lane, String name, String instance, Instant at) {
        jdbc.update(
                "INSERT INTO scheduled_tasks (task_name, task_instance, execution_time, picked,"
                        + " version, priority) VALUES (?, ?, ?, false, 1, 0)",
                name,
                instance,
                Timestamp.from(at));
        TransactionSynchronizationManager.registerSynchronization(
                new TransactionSynchronization() {
                    @Override
                    public void afterCommit() {
                        wake(lane);
                    }
                });
    }

    private void wake(Lane lane) {
        publisher.publishEvent(new WorkIsDue(lane));
        notify.set(true);
    }

    /** One notification for all that was committed since the last: a NOTIFY serialises commits. */
    @Scheduled(fixedDelay = 25)
    void notifyOthers() {
        if (!notify.getAndSet(false)) return;
        try {
            jdbc.execute("NOTIFY " + CHANNEL);
        } catch (RuntimeException e) {
            log.warn("workers of other replicas were not woken, they poll: {}", e.toString());
        }
    }
}
