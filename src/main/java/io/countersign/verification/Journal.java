package io.countersign.verification;

import io.countersign.verification.VerificationEvent.Type;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * The events of one run. An event is committed within {@code DELAY_MS}; what is still pending when
 * the run concludes is committed with the verdict, so a short verification costs no commit per
 * step. Safe for use by many threads.
 */
final class Journal {
    private static final Logger log = LoggerFactory.getLogger(Journal.class);
    private static final long DELAY_MS = 100;

    /**
     * Numbers of their own for each run, so that one that is fenced off can never take another's.
     */
    private static final int EVENTS_PER_RUN = 100_000;

    private final VerificationId id;
    private final VerificationEvents events;
    private final Watches watches;
    private final ScheduledExecutorService timer;
    private final InstantSource clock;
    private final List<VerificationEvent> pending = new ArrayList<>();
    private int sequence;
    private boolean scheduled;

    Journal(
            VerificationId id,
            int run,
            VerificationEvents events,
            Watches watches,
            ScheduledExecutorService timer,
            InstantSource clock) {
        this.id = id;
        this.sequence = (run - 1) * EVENTS_PER_RUN;
        this.events = events;
        this.watches = watches;
        this.timer = timer;
        this.clock = clock;
    }

    /** Adds an event whose data is JSON text. */
    synchronized void add(Type type, String data) {
        pending.add(new VerificationEvent(++sequence, type, data, clock.instant()));
        if (!scheduled) {
            scheduled = true;
            timer.schedule(this::flush, DELAY_MS, TimeUnit.MILLISECONDS);
        }
    }

    /** The events not yet committed; the caller commits them with what the run came to. */
    synchronized List<VerificationEvent> close() {
        List<VerificationEvent> rest = List.copyOf(pending);
        pending.clear();
        return rest;
    }

    /** The run's last event, which the caller commits. */
    synchronized VerificationEvent last(Type type, String data) {
        return new VerificationEvent(++sequence, type, data, clock.instant());
    }

    synchronized void flush() {
        scheduled = false;
        if (pending.isEmpty()) return;
        try {
            events.insert(id, pending);
            pending.clear();
            watches.signal(id);
        } catch (RuntimeException e) {
            log.warn(
                    "events of verification {} are kept for the next commit: {}", id, e.toString());
        }
    }
}
