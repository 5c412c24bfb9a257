package io.countersign.grader;

import io.countersign.grader.FakeModelServer.Wire;
import io.countersign.grader.provider.ProviderSettings;

import org.springframework.util.unit.DataSize;

import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** Many gradings at once on virtual threads, for the benchmark. */
public final class WaitingGraders {
    private WaitingGraders() {}

    /**
     * @param each how long the model takes
     * @return how many passed
     */
    public static int run(URI baseUrl, int gradings, Duration each) {
        ProviderSettings settings =
                new ProviderSettings(
                        TestGrader.settings(Wire.OPENAI, baseUrl).type(),
                        baseUrl,
                        null,
                        true,
                        1_024,
                        gradings,
                        DataSize.ofKilobytes(256),
                        Duration.ofSeconds(30),
                        4,
                        Duration.ofMillis(500),
                        Duration.ofSeconds(5));
        Duration budget = each.plusSeconds(60);
        AtomicInteger passed = new AtomicInteger();
        try (TestGrader grader = TestGrader.of(Map.of("fake", settings));
                ExecutorService lane = Executors.newVirtualThreadPerTaskExecutor()) {
            GraderPolicy policy = TestGrader.policy(budget, "fake/m-1");
            for (int i = 0; i < gradings; i++) {
                lane.submit(
                        () -> {
                            Graded graded = grader.grade(TestGrader.request(policy, budget));
                            if (graded.result().pass()) passed.incrementAndGet();
                            return graded;
                        });
            }
            lane.shutdown();
            lane.awaitTermination(budget.toMillis(), java.util.concurrent.TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return passed.get();
    }
}
