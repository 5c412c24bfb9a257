package io.countersign.verification;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.SchedulerBuilder;
import com.github.kagkarlsson.scheduler.task.Task;
import com.github.kagkarlsson.scheduler.task.helper.RecurringTask;

import io.countersign.kernel.ServiceRoles;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.event.EventListener;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;

import javax.sql.DataSource;

/**
 * The worker role: one db-scheduler per lane. Stopping hands running work back: each run is
 * interrupted, its processes end, its task is due again at once for another replica.
 */
@Component
class Workers implements SmartLifecycle {
    private static final Logger log = LoggerFactory.getLogger(Workers.class);
    private static final int WAITING_AT_ONCE = 2048;

    private final ServiceRoles roles;
    private final DataSource dataSource;
    private final JdbcTemplate jdbc;
    private final List<DurableTask> tasks;
    private final Running running;
    private final CheckSlots slots;
    private final String name;
    private final Map<Lane, Scheduler> schedulers = new EnumMap<>(Lane.class);
    private volatile boolean started;

    Workers(
            ServiceRoles roles,
            DataSource dataSource,
            JdbcTemplate jdbc,
            List<DurableTask> tasks,
            Running running,
            CheckSlots slots,
            WorkerName name) {
        this.roles = roles;
        this.dataSource = dataSource;
        this.jdbc = jdbc;
        this.tasks = tasks;
        this.running = running;
        this.slots = slots;
        this.name = name.value();
    }

    @Override
    public void start() {
        if (roles.worker()) {
            ExecutorService platform =
                    Executors.newFixedThreadPool(slots.threads(), named("checks-"));
            ExecutorService virtual =
                    Executors.newThreadPerTaskExecutor(
                            Thread.ofVirtual().name("waiting-", 0).factory());
            schedulers.put(Lane.CHECKS, scheduler(Lane.CHECKS, slots.threads(), platform));
            schedulers.put(Lane.WAITING, scheduler(Lane.WAITING, WAITING_AT_ONCE, virtual));
            schedulers.values().forEach(Scheduler::start);
        }
        started = true;
    }

    private static ThreadFactory named(String prefix) {
        return Thread.ofPlatform().name(prefix, 0).factory();
    }

    private Scheduler scheduler(Lane lane, int threads, ExecutorService executor) {
        List<Task<?>> oneTime = new ArrayList<>();
        List<RecurringTask<?>> recurring = new ArrayList<>();
        for (DurableTask task : tasks) {
            if (task.lane() != lane) continue;
            switch (task.task()) {
                case RecurringTask<?> again -> recurring.add(again);
                default -> oneTime.add(task.task());
            }
        }
        SchedulerBuilder builder =
                Scheduler.create(dataSource, oneTime)
                        .startTasks(recurring)
                        .tableName(lane.view())
                        .schedulerName(() -> name)
                        .threads(threads)
                        .executorService(executor)
                        .pollUsingLockAndFetch(0.5, 1.0)
                        .pollingInterval(Duration.ofSeconds(1))
                        .heartbeatInterval(Duration.ofSeconds(5))
                        .missedHeartbeatsLimit(4)
                        .shutdownMaxWait(Duration.ofSeconds(10));
        return builder.build();
    }

    @EventListener
    void wake(Tasks.WorkIsDue due) {
        Scheduler scheduler = schedulers.get(due.lane());
        if (scheduler != null) scheduler.triggerCheckForDueExecutions();
    }

    /** Wakes every lane: another replica committed work. */
    void wakeAll() {
        schedulers.values().forEach(Scheduler::triggerCheckForDueExecutions);
    }

    @Override
    public void stop() {
        started = false;
        if (schedulers.isEmpty()) return;
        running.handBackAll();
        schedulers.values().forEach(Scheduler::stop);
        schedulers.clear();
        int left =
                jdbc.update(
                        "UPDATE scheduled_tasks SET picked = false, picked_by = NULL,"
                                + " last_heartbeat = NULL, version = version + 1 WHERE picked_by = ?",
                        name);
        if (left > 0) log.info("handed {} picked tasks back", left);
    }

    @Override
    public boolean isRunning() {
        return started;
    }
}
