package io.countersign.kernel;

import org.springframework.http.ResponseEntity;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import tools.jackson.databind.json.JsonMapper;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Makes a repeat of a POST harmless. The effect and the record of its answer are one transaction,
 * so a service that dies between them has done neither; of concurrent requests with one key, on any
 * replica, one runs and the others wait for it.
 */
@Component
public class IdempotencyKeys {
    private static final Duration KEPT = Duration.ofHours(24);
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final long FIRST_PAUSE_MS = 10;
    private static final long LONGEST_PAUSE_MS = 200;

    private final IdempotencyStore store;
    private final TransactionTemplate transaction;
    private final JsonMapper json;
    private final InstantSource clock;

    IdempotencyKeys(
            JdbcClient jdbc,
            PlatformTransactionManager transactions,
            JsonMapper json,
            InstantSource clock) {
        this.store = new IdempotencyStore(jdbc, json);
        this.transaction = new TransactionTemplate(transactions);
        this.json = json;
        this.clock = clock;
    }

    /**
     * Runs {@code effect} in a transaction, or gives the answer that its first run gave. An effect
     * that throws leaves no trace: its repeat runs again. Without a key it just runs, in a
     * transaction too. What must not happen inside a transaction (waiting for a verdict) belongs
     * after this call.
     *
     * @param effect answers the response whose status, headers and body (as JSON) are kept
     * @throws ProblemException 409 when the key was used with another body or before the caller's
     *     projects or roles changed, or when the first request is still running after 5 s
     */
    public StoredAnswer once(
            IdempotentRequest request, Supplier<? extends ResponseEntity<?>> effect) {
        if (TransactionSynchronizationManager.isActualTransactionActive()) {
            throw new IllegalStateException("once() opens the transaction of the effect itself");
        }
        String key = request.key();
        if (key == null) {
            return inTransaction(() -> Optional.of(answer(effect.get()))).orElseThrow();
        }
        Slot slot = new Slot(request.caller(), request.route(), key, request.sha256().get());
        return await(slot, effect);
    }

    /** Forgets answers that are past their 24 hours. */
    @Scheduled(fixedDelay = 10, initialDelay = 1, timeUnit = TimeUnit.MINUTES)
    void purge() {
        store.purge(clock.instant());
    }

    /** One use of a key: who, where, which, and with what body and reach. */
    record Slot(String caller, String route, String key, Sha256 request) {
        /** The advisory lock that stands for the key on every replica. */
        long lock() {
            String all = "idempotency\n" + caller + "\n" + route + "\n" + key;
            return ByteBuffer.wrap(Sha256.of(all).bytes()).getLong();
        }
    }

    private StoredAnswer await(Slot slot, Supplier<? extends ResponseEntity<?>> effect) {
        Instant deadline = clock.instant().plus(PATIENCE);
        long pause = FIRST_PAUSE_MS;
        while (true) {
            Optional<StoredAnswer> answer = inTransaction(() -> attempt(slot, effect));
            if (answer.isPresent()) {
                return answer.get();
            }
            if (clock.instant().isAfter(deadline)) {
                throw inProgress();
            }
            pause(pause);
            pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
        }
    }

    /** Empty when another request holds the key. */
    private Optional<StoredAnswer> attempt(
            Slot slot, Supplier<? extends ResponseEntity<?>> effect) {
        if (!store.lock(slot)) {
            return Optional.empty();
        }
        // A statement of its own: its snapshot is younger than the lock.
        Instant now = clock.instant();
        Optional<IdempotencyStore.Found> found = store.find(slot, now);
        if (found.isPresent()) {
            return Optional.of(repeat(slot, found.get()));
        }
        StoredAnswer answer = answer(effect.get());
        store.insert(slot, answer, now, now.plus(KEPT));
        return Optional.of(answer);
    }

    private static StoredAnswer repeat(Slot slot, IdempotencyStore.Found found) {
        if (!found.request().equals(slot.request())) {
            throw new ProblemException(
                    ProblemCode.IDEMPOTENCY_KEY_REUSED,
                    "this Idempotency-Key was used here with another request body, or before the"
                            + " caller's projects or roles changed");
        }
        return found.answer();
    }

    private StoredAnswer answer(ResponseEntity<?> response) {
        Map<String, String> headers = new LinkedHashMap<>();
        response.getHeaders().forEach((name, values) -> headers.put(name, values.getFirst()));
        Object body = response.getBody();
        String text =
                body == null ? null : body instanceof String s ? s : json.writeValueAsString(body);
        return new StoredAnswer(response.getStatusCode().value(), headers, text, false);
    }

    private <T> T inTransaction(Supplier<T> work) {
        return Objects.requireNonNull(transaction.execute(status -> work.get()));
    }

    private static void pause(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw inProgress();
        }
    }

    private static ProblemException inProgress() {
        return new ProblemException(
                ProblemCode.IDEMPOTENCY_IN_PROGRESS,
                "the first request with this Idempotency-Key is still running");
    }
}
