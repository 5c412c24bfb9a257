package io.countersign.verification;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.countersign.check.CheckProperties;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;

import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** What the gauges say of work that a worker took and cannot begin. */
class QueueTests {
    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final CheckSlots slots =
            new CheckSlots(
                    new CheckProperties(
                            new CheckProperties.Commands(null),
                            new CheckProperties.Defaults(null, null, null),
                            1,
                            false,
                            new CheckProperties.Tests(false)),
                    meters);

    QueueTests() {
        new Queue(
                new JdbcTemplate(),
                InstantSource.fixed(NOW),
                slots,
                meters,
                new QueueProperties(10));
    }

    private double gauge(String name) {
        return meters.get(name).gauge().value();
    }

    private Callable<Void> run(Instant queuedAt) {
        return () -> {
            slots.take(queuedAt).close();
            return null;
        };
    }

    @Test
    void whatWaitsForASlotWaitsAsInTheQueue() throws Exception {
        try (ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Void>> waiting;
            try (CheckSlots.Slot slot = slots.take(NOW.minusSeconds(600))) {
                assertThat(gauge("countersign.queue.age")).as("what runs").isZero();
                waiting =
                        List.of(
                                workers.submit(run(NOW.minusSeconds(30))),
                                workers.submit(run(NOW.minusSeconds(90))));
                await().until(() -> gauge("countersign.checks.waiting") == 2);
                assertThat(gauge("countersign.queue.age")).isEqualTo(90);
                assertThat(gauge("countersign.queue.depth")).as("no worker's").isZero();
            }
            for (Future<Void> one : waiting) one.get();
            assertThat(gauge("countersign.checks.waiting")).isZero();
            assertThat(gauge("countersign.queue.age")).isZero();
        }
    }

    @Test
    void whoeverIsInterruptedWaitsNoMore() throws Exception {
        try (ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor();
                CheckSlots.Slot slot = slots.take(NOW)) {
            Future<Void> waiting = workers.submit(run(NOW.minusSeconds(30)));
            await().until(() -> gauge("countersign.checks.waiting") == 1);
            waiting.cancel(true);
            await().until(() -> gauge("countersign.checks.waiting") == 0);
            assertThat(gauge("countersign.queue.age")).isZero();
        }
    }
}
