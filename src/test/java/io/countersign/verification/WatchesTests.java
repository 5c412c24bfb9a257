package io.countersign.verification;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;

import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

class WatchesTests {
    private final Watches watches = new Watches(new VerificationEvents(new JdbcTemplate()));
    private final VerificationId id = new VerificationId(new UUID(7, 7));

    @Test
    void aWatchThatBeginsWhileTheLastOneEndsMissesNothing() throws Exception {
        AtomicBoolean done = new AtomicBoolean();
        CompletableFuture<Void> others =
                CompletableFuture.runAsync(
                        () -> {
                            while (!done.get()) watches.open(id).close();
                        });
        int missed = 0;
        for (int i = 0; i < 2_000_000; i++) {
            try (Watches.Watch watch = watches.open(id)) {
                watches.signal(id);
                if (!watch.await(Duration.ZERO)) missed++;
            }
        }
        done.set(true);
        others.join();
        assertThat(missed).isZero();
    }
}
