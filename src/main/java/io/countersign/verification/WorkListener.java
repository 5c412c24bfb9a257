package io.countersign.verification;

import io.countersign.kernel.ServiceRoles;

import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Arrays;

import javax.sql.DataSource;

/** Listens for work that another replica committed. It holds one database connection. */
@Component
class WorkListener implements SmartLifecycle {
    private static final Logger log = LoggerFactory.getLogger(WorkListener.class);
    private static final int WAIT_MS = 1_000;
    private static final int RETRY_MS = 2_000;

    private final ServiceRoles roles;
    private final DataSource dataSource;
    private final Workers workers;
    private final Tasks tasks;
    private volatile @Nullable Thread thread;

    WorkListener(ServiceRoles roles, DataSource dataSource, Workers workers, Tasks tasks) {
        this.roles = roles;
        this.dataSource = dataSource;
        this.workers = workers;
        this.tasks = tasks;
    }

    @Override
    public void start() {
        if (!roles.worker()) return;
        thread = Thread.ofVirtual().name("work-listener").start(this::listen);
    }

    private void listen() {
        while (isRunning()) {
            try (Connection connection = dataSource.getConnection();
                    Statement statement = connection.createStatement()) {
                statement.execute("LISTEN " + Tasks.CHANNEL);
                PGConnection postgres = connection.unwrap(PGConnection.class);
                while (isRunning()) {
                    if (othersWork(postgres.getNotifications(WAIT_MS))) workers.wakeAll();
                }
                statement.execute("UNLISTEN *");
            } catch (SQLException e) {
                if (!isRunning()) return;
                log.warn("not listening for work, workers poll; trying again: {}", e.toString());
                pause();
            }
        }
    }

    /** What this process committed woke its own workers already. */
    private boolean othersWork(PGNotification[] notifications) {
        return Arrays.stream(notifications)
                .anyMatch(one -> !one.getParameter().equals(tasks.origin()));
    }

    private void pause() {
        try {
            Thread.sleep(RETRY_MS);
        } catch (InterruptedException e) {
            thread = null;
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void stop() {
        Thread listener = thread;
        thread = null;
        if (listener == null) return;
        try {
            listener.join(Duration.ofMillis(2 * WAIT_MS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public boolean isRunning() {
        return thread != null;
    }
}
