package io.countersign.grader.provider;

import io.countersign.grader.provider.Reply.Answered;
import io.countersign.grader.provider.Reply.Unanswered;
import io.github.resilience4j.bulkhead.BulkheadFullException;
import io.github.resilience4j.circuitbreaker.CallNotPermittedException;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;

/**
 * One provider behind its guards, outermost first: Retry, TimeLimiter, Bulkhead, CircuitBreaker.
 * Each attempt runs as a future on a virtual thread, because only a future can be cancelled for
 * real: the interrupt closes the HTTP exchange.
 */
final class ResilientProvider implements Provider {
    private final AdaptiveClient client;
    private final Guards guards;
    private final Backoff backoff;
    private final ExecutorService executor;
    private final InstantSource clock;
    private final RandomGenerator random;

    ResilientProvider(
            AdaptiveClient client,
            Guards guards,
            Backoff backoff,
            ExecutorService executor,
            InstantSource clock,
            RandomGenerator random) {
        this.client = client;
        this.guards = guards;
        this.backoff = backoff;
        this.executor = executor;
        this.clock = clock;
        this.random = random;
    }

    @Override
    public Reply ask(Question question, Duration turn, Instant deadline)
            throws InterruptedException {
        AtomicInteger requests = new AtomicInteger();
        Call call = new Call(question, turn, deadline, requests);
        try {
            AdaptiveClient.Sent sent = guards.retry().executeCallable(call::attempt);
            return new Answered(
                    sent.answer(),
                    requests.get(),
                    !sent.form().temperature(),
                    sent.form().schema());
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            // Resilience4j's pause between attempts restores the flag and throws the last fault.
            if (Thread.interrupted()) throw new InterruptedException();
            return unanswered(e, requests.get());
        }
    }

    private static Unanswered unanswered(Exception fault, int requests) {
        return switch (fault) {
            case RetryableFault retryable -> unanswered(retryable.fault(), requests);
            case ProviderFault f ->
                    new Unanswered(f.kind() == ProviderFault.Kind.TIMEOUT, f.reason(), requests);
            case CallNotPermittedException e ->
                    new Unanswered(false, "its circuit is open after too many failures", requests);
            case BulkheadFullException e ->
                    new Unanswered(false, "too many gradings wait on it", requests);
            default ->
                    new Unanswered(
                            false, "an unexpected " + fault.getClass().getSimpleName(), requests);
        };
    }

    /** The state of one question over its attempts. */
    private final class Call {
        private final Question question;
        private final Duration turn;
        private final Instant deadline;
        private final AtomicInteger requests;
        private int attempts;

        Call(Question question, Duration turn, Instant deadline, AtomicInteger requests) {
            this.question = question;
            this.turn = turn;
            this.deadline = deadline;
            this.requests = requests;
        }

        AdaptiveClient.Sent attempt() throws Exception {
            attempts++;
            Duration left = Duration.between(clock.instant(), deadline);
            Duration limit = left.compareTo(turn) < 0 ? left : turn;
            if (!limit.isPositive()) {
                throw ProviderFault.of(ProviderFault.Kind.TIMEOUT, "the gate's time ran out");
            }
            try {
                return within(limit);
            } catch (ProviderFault fault) {
                throw worthRepeating(fault);
            }
        }

        private AdaptiveClient.Sent within(Duration limit) throws Exception {
            Exchange exchange = new Exchange(client, question, requests);
            Future<AdaptiveClient.Sent> future =
                    executor.submit(
                            () ->
                                    guards.bulkhead()
                                            .executeCallable(
                                                    () ->
                                                            guards.circuitBreaker()
                                                                    .executeCallable(
                                                                            exchange::run)));
            try {
                return guards.timeLimiter()
                        .executeFutureSupplier(() -> new BoundedFuture<>(future, limit));
            } catch (TimeoutException e) {
                throw ProviderFault.of(
                        ProviderFault.Kind.TIMEOUT, exchange.timedOut(limit.toMillis()));
            } catch (InterruptedException e) {
                exchange.abort();
                throw e;
            } finally {
                future.cancel(true);
            }
        }

        /** Marks a fault that may pass, if the pause before the next attempt still fits. */
        private RuntimeException worthRepeating(ProviderFault fault) {
            if (!fault.transitory()) return fault;
            Duration pause = backoff.pause(attempts, fault.retryAfter(), random);
            boolean fits = clock.instant().plus(pause).isBefore(deadline);
            return fits ? new RetryableFault(fault, pause) : fault;
        }
    }
}
