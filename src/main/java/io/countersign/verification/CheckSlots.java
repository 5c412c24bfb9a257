package io.countersign.verification;

import io.countersign.check.CheckProperties;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

import org.springframework.stereotype.Component;

import java.time.Instant;
import java.util.Collection;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;

/**
 * How many verifications may run commands at once ({@code countersign.checks.concurrency}, default
 * the number of processors). Those that only look at files need no slot.
 */
@Component
class CheckSlots {
    /**
     * Threads beyond the slots, so that verifications that only look at files go on beside
     * commands. Those that wait for a slot hold them too, and no other worker can take these: hence
     * few.
     */
    private static final int SPARE_THREADS = 6;

    private final int slots;
    private final Semaphore free;
    private final Collection<Instant> waiting = new ConcurrentLinkedQueue<>();

    CheckSlots(CheckProperties properties, MeterRegistry meters) {
        int concurrency = properties.concurrency();
        slots = concurrency == 0 ? Runtime.getRuntime().availableProcessors() : concurrency;
        free = new Semaphore(slots, true);
        Gauge.builder("countersign.checks.waiting", waiting, Collection::size)
                .description("Verifications of this process that wait for a slot for commands")
                .register(meters);
    }

    int threads() {
        return slots + SPARE_THREADS;
    }

    /**
     * Waits for a slot; close it when the commands have ended.
     *
     * @param queuedAt since when the verification waits, in the queue and here
     */
    Slot take(Instant queuedAt) throws InterruptedException {
        waiting.add(queuedAt);
        try {
            free.acquire();
        } finally {
            waiting.remove(queuedAt);
        }
        return free::release;
    }

    /** When the one was queued that has waited longest of those that wait for a slot here. */
    Optional<Instant> oldestWaiting() {
        return waiting.stream().min(Instant::compareTo);
    }

    interface Slot extends AutoCloseable {
        @Override
        void close();
    }
}
