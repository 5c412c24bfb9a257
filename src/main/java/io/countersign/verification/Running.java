package io.countersign.verification;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The verifications that this process works on, so that a cancellation reaches the thread that
 * blocks: at once when it was asked for here, within half a second when at another replica.
 */
@Component
class Running {
    private static final Logger log = LoggerFactory.getLogger(Running.class);

    private final Map<VerificationId, Work> works = new ConcurrentHashMap<>();
    private final JdbcTemplate jdbc;

    Running(JdbcTemplate jdbc, MeterRegistry meters) {
        this.jdbc = jdbc;
        Gauge.builder("countersign.running", works, Map::size)
                .description("Verifications that this process works on, in either lane")
                .register(meters);
    }

    /** Registers the calling thread as the one that works on {@code id}. Close it when done. */
    Work begin(VerificationId id) {
        Work work = new Work(id, Thread.currentThread());
        works.put(id, work);
        return work;
    }

    /** Interrupts all work here, so that it is handed back: the service stops. */
    void handBackAll() {
        List.copyOf(works.values()).forEach(Work::handBack);
    }

    /** Interrupts the work on {@code id}, if it is here. */
    void cancel(VerificationId id, String by) {
        Work work = works.get(id);
        if (work != null) work.cancel(by);
    }

    @Scheduled(fixedDelay = 500)
    void poll() {
        Collection<VerificationId> ids = List.copyOf(works.keySet());
        if (ids.isEmpty()) return;
        Object uuids = ids.stream().map(VerificationId::value).toArray(UUID[]::new);
        try {
            jdbc.query(
                    "SELECT id, cancelled_by FROM verification"
                            + " WHERE id = ANY(?) AND cancelled_by IS NOT NULL",
                    row -> {
                        cancel(
                                new VerificationId(row.getObject("id", UUID.class)),
                                row.getString("cancelled_by"));
                    },
                    uuids);
        } catch (RuntimeException e) {
            log.warn("cannot look for cancellations, trying again: {}", e.toString());
        }
    }

    /** One verification being worked on by one thread. */
    final class Work implements AutoCloseable {
        private final VerificationId id;
        private final Thread thread;
        private @Nullable String cancelledBy;
        private boolean interrupted;
        private boolean closed;

        private Work(VerificationId id, Thread thread) {
            this.id = id;
            this.thread = thread;
        }

        private synchronized void cancel(String by) {
            if (closed || cancelledBy != null) return;
            cancelledBy = by;
            interrupt();
        }

        private synchronized void handBack() {
            if (!closed) interrupt();
        }

        private void interrupt() {
            interrupted = true;
            thread.interrupt();
        }

        /** Who cancelled it; null when nobody did. */
        synchronized @Nullable String cancelledBy() {
            return cancelledBy;
        }

        /**
         * Ends the registration: from here on no interrupt comes for this work. One that came just
         * before is taken back, since the thread goes on to other work.
         */
        @Override
        public synchronized void close() {
            closed = true;
            works.remove(id, this);
            if (interrupted) Thread.interrupted();
        }
    }
}
