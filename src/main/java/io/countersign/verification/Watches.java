package io.countersign.verification;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Wakes the requests that wait for news of a verification: at once when this process brings them,
 * within {@code POLL} when another replica does. One query serves all who wait; nobody waiting
 * costs nothing.
 */
@Component
class Watches {
    private static final Logger log = LoggerFactory.getLogger(Watches.class);
    private static final long POLL_MS = 250;

    private final Map<VerificationId, Set<Watch>> open = new ConcurrentHashMap<>();
    private final VerificationEvents events;
    private volatile Map<VerificationId, Integer> seen = Map.of();

    Watches(VerificationEvents events) {
        this.events = events;
    }

    /** Starts to watch; news from now on are not missed. Close it when done. */
    Watch open(VerificationId id) {
        Watch watch = new Watch(id);
        // Under the map's lock, as the end of the last watch is, which takes the set away.
        open.compute(
                id,
                (key, watches) -> {
                    Set<Watch> all = watches == null ? new CopyOnWriteArraySet<>() : watches;
                    all.add(watch);
                    return all;
                });
        return watch;
    }

    /** Tells those who wait for {@code id} that something new is committed. */
    void signal(VerificationId id) {
        for (Watch watch : open.getOrDefault(id, Set.of())) watch.news.release();
    }

    void signalAll() {
        List.copyOf(open.keySet()).forEach(this::signal);
    }

    @Scheduled(fixedDelay = POLL_MS)
    void poll() {
        Collection<VerificationId> ids = List.copyOf(open.keySet());
        if (ids.isEmpty()) {
            seen = Map.of();
            return;
        }
        try {
            Map<VerificationId, Integer> latest = events.latestSequences(ids);
            Map<VerificationId, Integer> before = seen;
            latest.forEach(
                    (id, sequence) -> {
                        if (!sequence.equals(before.get(id))) signal(id);
                    });
            seen = new HashMap<>(latest);
        } catch (RuntimeException e) {
            log.warn("cannot look for news of verifications, trying again: {}", e.toString());
        }
    }

    /** One waiting request. */
    final class Watch implements AutoCloseable {
        private final VerificationId id;
        private final Semaphore news = new Semaphore(0);

        private Watch(VerificationId id) {
            this.id = id;
        }

        /** Waits for news, at most {@code timeout}; false when there were none. */
        boolean await(Duration timeout) throws InterruptedException {
            boolean woken = news.tryAcquire(timeout.toNanos(), TimeUnit.NANOSECONDS);
            news.drainPermits();
            return woken;
        }

        @Override
        public void close() {
            open.computeIfPresent(
                    id,
                    (key, watches) -> {
                        watches.remove(this);
                        return watches.isEmpty() ? null : watches;
                    });
        }
    }
}
