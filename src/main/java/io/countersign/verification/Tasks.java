package io.countersign.verification;

import io.countersign.kernel.Ids;

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
    /** The channel on which workers of all replicas listen; the payload says who committed work. */
    static final String CHANNEL = "countersign_work";

    private static final Logger log = LoggerFactory.getLogger(Tasks.class);

    /** Published in this process when due work was committed. */
    record WorkIsDue(Lane lane) {}

    private final JdbcTemplate jdbc;
    private final ApplicationEventPublisher publisher;
    private final String origin;
    private final AtomicBoolean notify = new AtomicBoolean();

    Tasks(JdbcTemplate jdbc, ApplicationEventPublisher publisher, Ids ids) {
        this.jdbc = jdbc;
        this.publisher = publisher;
        this.origin = ids.next().toString();
    }

    /** This process, as the payload of its notifications names it. */
    String origin() {
        return origin;
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

    /**
     * Ends the work that is queued for a verification, in the transaction that stores what it came
     * to: a task is never left without its work, nor a verdict with a task.
     */
    void finish(VerificationId id) {
        jdbc.update(
                "DELETE FROM scheduled_tasks WHERE task_name IN (?, ?) AND task_instance = ?",
                VerificationJob.TASK,
                GradingJob.TASK,
                id.toString());
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
            jdbc.execute("NOTIFY " + CHANNEL + ", '" + origin + "'");
        } catch (RuntimeException e) {
            log.warn("workers of other replicas were not woken, they poll: {}", e.toString());
        }
    }
}
