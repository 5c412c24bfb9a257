package io.countersign.verification;

import io.countersign.kernel.ProblemCode;
import io.countersign.kernel.ProblemException;

import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/** Knows when the service shuts down: new work is refused and waiting requests are answered. */
@Component
class Closing {
    private final Watches watches;
    private volatile boolean closing;

    Closing(Watches watches) {
        this.watches = watches;
    }

    @EventListener(ContextClosedEvent.class)
    void close() {
        closing = true;
        watches.signalAll();
    }

    boolean closing() {
        return closing;
    }

    /**
     * Refuses new work during shut-down.
     *
     * @throws ProblemException 503 with {@code Retry-After}
     */
    void demandOpen() {
        if (closing) {
            throw new ProblemException(
                    ProblemCode.SHUTTING_DOWN, "the service is shutting down: try again shortly");
        }
    }
}
