package io.countersign.verification;

import io.countersign.check.CheckProperties;

import org.springframework.stereotype.Component;

import java.util.concurrent.Semaphore;

/**
 * How many verifications may run commands at once ({@code countersign.checks.concurrency}, default
 * the number of processors). Those that only look at files need no slot.
 */
@Component
class CheckSlots {
    /** Threads beyond the slots: for verifications that only look at files, or wait for a slot. */
    private static final int SPARE_THREADS = 14;

    private final int slots;
    private final Semaphore free;

    CheckSlots(CheckProperties properties) {
        int concurrency = properties.concurrency();
        slots = concurrency == 0 ? Runtime.getRuntime().availableProcessors() : concurrency;
        free = new Semaphore(slots, true);
    }

    int threads() {
        return slots + SPARE_THREADS;
    }

    /** Waits for a slot; close it when the commands have ended. */
    Slot take() throws InterruptedException {
        free.acquire();
        return free::release;
    }

    interface Slot extends AutoCloseable {
        @Override
        void close();
    }
}
