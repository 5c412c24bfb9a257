package io.countersign.verification;

import io.countersign.kernel.ProblemCode;
import io.countersign.kernel.ProblemException;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * How much work is due, sampled once a second so that neither a submission nor a scrape counts
 * rows. Between samples this process adds what it queues itself. A verification waits until its
 * commands may run: the age counts those too that a worker took and that wait for a slot there.
 */
@Component
class Queue {
    private static final Logger log = LoggerFactory.getLogger(Queue.class);

    private record Sample(int depth, @Nullable Instant oldest) {}

    private final JdbcTemplate jdbc;
    private final InstantSource clock;
    private final CheckSlots slots;
    private final int max;
    private final AtomicInteger added = new AtomicInteger();
    private volatile Sample sample = new Sample(0, null);

    Queue(
            JdbcTemplate jdbc,
            InstantSource clock,
            CheckSlots slots,
            MeterRegistry meters,
            QueueProperties properties) {
        this.jdbc = jdbc;
        this.clock = clock;
        this.slots = slots;
        this.max = properties.max();
        Gauge.builder("countersign.queue.depth", () -> sample.depth())
                .description("Verifications that wait for a worker")
                .register(meters);
        Gauge.builder("countersign.queue.max", () -> max)
                .description("Verifications that may wait before more are refused")
                .register(meters);
        Gauge.builder("countersign.queue.age", this::ageSeconds)
                .description("How long the oldest waiting verification has waited")
                .baseUnit("seconds")
                .register(meters);
    }

    /**
     * Refuses work that the queue has no room for.
     *
     * @throws ProblemException 429 with {@code Retry-After}
     */
    void demandRoom() {
        if (sample.depth() + added.get() >= max) {
            throw new ProblemException(
                    ProblemCode.QUEUE_FULL,
                    "the queue is full (" + max + " verifications wait): try again shortly");
        }
    }

    void added() {
        added.incrementAndGet();
    }

    @Scheduled(fixedDelay = 1_000)
    void takeSample() {
        try {
            int before = added.get();
            jdbc.query(
                    "SELECT count(*) AS depth, min(execution_time) AS oldest FROM scheduled_tasks"
                            + " WHERE task_name = 'verification' AND NOT picked",
                    row -> {
                        Timestamp oldest = row.getTimestamp("oldest");
                        sample =
                                new Sample(
                                        row.getInt("depth"),
                                        oldest == null ? null : oldest.toInstant());
                    });
            added.addAndGet(-before);
        } catch (RuntimeException e) {
            log.warn("cannot look at the queue, trying again: {}", e.toString());
        }
    }

    private double ageSeconds() {
        Duration longest =
                Stream.concat(Stream.ofNullable(sample.oldest()), slots.oldestWaiting().stream())
                        .map(since -> Duration.between(since, clock.instant()))
                        .max(Comparator.naturalOrder())
                        .orElse(Duration.ZERO);
        return Math.max(0, longest.toMillis() / 1000.0);
    }
}
