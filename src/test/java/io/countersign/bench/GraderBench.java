package io.countersign.bench;

import io.countersign.grader.FakeModelServer;
import io.countersign.grader.FakeModelServer.Wire;
import io.countersign.grader.WaitingGraders;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.time.Instant;

/**
 * Many gradings that wait on a slow model at once. Run it with a small heap: {@code -Xmx512m
 * io.countersign.bench.GraderBench [gradings] [seconds each]}; prints one line of JSON.
 */
public final class GraderBench {
    private GraderBench() {}

    public static void main(String[] args) throws Exception {
        int gradings = args.length > 0 ? Integer.parseInt(args[0]) : 1_000;
        Duration each = Duration.ofSeconds(args.length > 1 ? Long.parseLong(args[1]) : 30);
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        try (FakeModelServer server = FakeModelServer.start(Wire.OPENAI)) {
            server.then(
                    (request, connection) -> {
                        Thread.sleep(each);
                        server.text("{\"pass\":true,\"reasons\":[\"1: ok\"]}")
                                .serve(request, connection);
                    });
            Instant begun = Instant.now();
            int passed = WaitingGraders.run(server.baseUrl(), gradings, each);
            Duration took = Duration.between(begun, Instant.now());
            Runtime runtime = Runtime.getRuntime();
            System.out.printf(
                    "{\"gradings\":%d,\"passed\":%d,\"secondsEach\":%d,\"tookMs\":%d,"
                            + "\"maxHeapMiB\":%d,\"usedHeapMiB\":%d,\"peakPlatformThreads\":%d}%n",
                    gradings,
                    passed,
                    each.toSeconds(),
                    took.toMillis(),
                    runtime.maxMemory() >> 20,
                    (runtime.totalMemory() - runtime.freeMemory()) >> 20,
                    threads.getPeakThreadCount());
            if (passed != gradings) throw new IllegalStateException("not all gradings passed");
        }
    }
}
