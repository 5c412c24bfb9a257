package io.countersign.grader.provider;

import io.github.resilience4j.bulkhead.Bulkhead;
import io.github.resilience4j.bulkhead.BulkheadConfig;
import io.github.resilience4j.bulkhead.BulkheadRegistry;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.github.resilience4j.circuitbreaker.CircuitBreakerRegistry;
import io.github.resilience4j.retry.Retry;
import io.github.resilience4j.retry.RetryConfig;
import io.github.resilience4j.retry.RetryRegistry;
import io.github.resilience4j.timelimiter.TimeLimiter;
import io.github.resilience4j.timelimiter.TimeLimiterConfig;
import io.github.resilience4j.timelimiter.TimeLimiterRegistry;

import java.time.Duration;

/** The named Resilience4j instances of one provider. */
record Guards(
        Retry retry, TimeLimiter timeLimiter, Bulkhead bulkhead, CircuitBreaker circuitBreaker) {
    /** No turn and no wait for a slot can be longer: it is the largest gate budget. */
    private static final Duration LONGEST = Duration.ofMinutes(30);

    /** Where instances are registered, so that their metrics are published. */
    record Registries(
            RetryRegistry retries,
            TimeLimiterRegistry timeLimiters,
            BulkheadRegistry bulkheads,
            CircuitBreakerRegistry circuitBreakers) {}

    static Guards of(String name, ProviderSettings settings, Registries registries) {
        String instance = "grader-" + name;
        return new Guards(
                registries.retries().retry(instance, retryConfig(settings)),
                registries.timeLimiters().timeLimiter(instance, timeLimiterConfig()),
                registries.bulkheads().bulkhead(instance, bulkheadConfig(settings)),
                registries.circuitBreakers().circuitBreaker(instance, circuitBreakerConfig()));
    }

    private static RetryConfig retryConfig(ProviderSettings settings) {
        return RetryConfig.custom()
                .maxAttempts(settings.attempts())
                .retryOnException(RetryableFault.class::isInstance)
                .intervalBiFunction((attempt, result) -> pause(result.getLeft()))
                .build();
    }

    private static long pause(Throwable fault) {
        return fault instanceof RetryableFault retryable ? retryable.pause().toMillis() : 0;
    }

    private static TimeLimiterConfig timeLimiterConfig() {
        return TimeLimiterConfig.custom()
                .timeoutDuration(LONGEST)
                .cancelRunningFuture(true)
                .build();
    }

    private static BulkheadConfig bulkheadConfig(ProviderSettings settings) {
        return BulkheadConfig.custom()
                .maxConcurrentCalls(settings.maxConcurrent())
                .maxWaitDuration(LONGEST)
                .build();
    }

    /** A FAIL verdict is an answer and never counts; neither does a request that was wrong. */
    private static CircuitBreakerConfig circuitBreakerConfig() {
        return CircuitBreakerConfig.custom()
                .slidingWindowSize(20)
                .minimumNumberOfCalls(10)
                .failureRateThreshold(50)
                .waitDurationInOpenState(Duration.ofSeconds(30))
                .permittedNumberOfCallsInHalfOpenState(3)
                .recordException(fault -> fault instanceof ProviderFault f && f.unhealthy())
                .ignoreExceptions(Exchange.Aborted.class)
                .build();
    }
}
