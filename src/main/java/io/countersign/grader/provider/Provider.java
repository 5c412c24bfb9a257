package io.countersign.grader.provider;

import java.time.Duration;
import java.time.Instant;

/** One configured provider. */
public interface Provider {
    /**
     * Asks, repeating what is worth repeating, until there is an answer or no use in going on.
     *
     * @param turn how long one attempt may take
     * @param deadline nothing is begun or kept after it
     * @throws InterruptedException when the calling thread is interrupted; the exchange is being
     *     closed by then
     */
    Reply ask(Question question, Duration turn, Instant deadline) throws InterruptedException;
}
