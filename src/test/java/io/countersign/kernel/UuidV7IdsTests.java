package io.countersign.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;

class UuidV7IdsTests {
    private static final long START = Instant.parse("2026-11-30T12:00:00Z").toEpochMilli();

    private final AtomicLong millis = new AtomicLong(START);
    private final InstantSource clock = () -> Instant.ofEpochMilli(millis.get());
    private final UuidV7Ids ids = new UuidV7Ids(clock, new Random(1));

    @Test
    void carryVersionVariantAndTime() {
        UUID id = ids.next();

        assertThat(id.version()).isEqualTo(7);
        assertThat(id.variant()).isEqualTo(2);
        assertThat(id.getMostSignificantBits() >>> 16).isEqualTo(START);
    }

    @Test
    void growWithinAMillisecondAndPastItsCounter() {
        UUID last = ids.next();
        for (int i = 0; i < 10_000; i++) {
            UUID next = ids.next();
            assertThat(next).isGreaterThan(last);
            assertThat(next.version()).isEqualTo(7);
            last = next;
        }
        assertThat(last.getMostSignificantBits() >>> 16).isEqualTo(START + 2);
    }

    @Test
    void growWhenTheClockIsSetBack() {
        UUID before = ids.next();
        millis.addAndGet(-60_000);
        UUID back = ids.next();
        millis.addAndGet(120_000);
        UUID later = ids.next();

        assertThat(back).isGreaterThan(before);
        assertThat(later).isGreaterThan(back);
        assertThat(later.getMostSignificantBits() >>> 16).isEqualTo(START + 60_000);
    }

    @Test
    void sortAsTextTheWayTheySortAsIds() {
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < 2_000; i++) {
            texts.add(ids.next().toString());
            millis.addAndGet(i % 3);
        }

        assertThat(texts).isSorted();
    }

    @Test
    void differAmongThreads() throws Exception {
        Set<UUID> all = new HashSet<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<List<UUID>>> work = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                work.add(
                        threads.submit(
                                () -> {
                                    List<UUID> mine = new ArrayList<>();
                                    for (int n = 0; n < 2_000; n++) {
                                        mine.add(ids.next());
                                    }
                                    return mine;
                                }));
            }
            for (Future<List<UUID>> each : work) {
                List<UUID> mine = each.get();
                assertThat(mine).isSorted();
                all.addAll(mine);
            }
        }

        assertThat(all).hasSize(16_000);
    }
}
