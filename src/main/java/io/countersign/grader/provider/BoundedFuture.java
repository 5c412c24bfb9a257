package io.countersign.grader.provider;

import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A future that is waited for no longer than this call allows. A provider's TimeLimiter is one
 * instance with one limit; the limit of a turn is the policy's and what the gate has left.
 */
record BoundedFuture<T>(Future<T> future, Duration limit) implements Future<T> {
    @Override
    public T get(long timeout, TimeUnit unit)
            throws InterruptedException, ExecutionException, TimeoutException {
        long nanos = Math.min(unit.toNanos(timeout), limit.toNanos());
        return future.get(nanos, TimeUnit.NANOSECONDS);
    }

    @Override
    public T get() throws InterruptedException, ExecutionException {
        return future.get();
    }

    @Override
    public boolean cancel(boolean mayInterrupt) {
        return future.cancel(mayInterrupt);
    }

    @Override
    public boolean isCancelled() {
        return future.isCancelled();
    }

    @Override
    public boolean isDone() {
        return future.isDone();
    }
}
