package io.countersign.bench;

import io.countersign.grader.FakeModelServer;
import io.countersign.grader.FakeModelServer.Wire;
import io.countersign.support.ServiceProcess;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

/**
 * Many verifications that wait on a slow model at once, in a service with a small heap, and what a
 * deterministic verification takes beside them.
 */
final class GraderBench {
    private static final int WAITING = 1_000;
    private static final Duration EACH = Duration.ofSeconds(30);
    private static final Duration PATIENCE = Duration.ofMinutes(10);
    private static final String GRADED = request("bench/graded", "criteria: The answer is polite.");
    private static final String CHECKED = request("bench/checked", "check: fileExists path=a.txt");

    private GraderBench() {}

    private static String request(String project, String line) {
        return """
               {"project": "%s", "acceptance": "[acceptance]\\n%s\\n[/acceptance]", \
               "producer": {"id": "ses_1"}, "workspace": {"files": {"a.txt": "x"}}}"""
                .formatted(project, line);
    }

    static void run(BenchPostgres postgres, Path log) throws Exception {
        try (FakeModelServer model = FakeModelServer.start(Wire.OPENAI)) {
            model.then(
                    (request, connection) -> {
                        FakeModelServer.think(EACH.toMillis());
                        model.text("{\"pass\":true,\"reasons\":[\"1: ok\"]}")
                                .serve(request, connection);
                    });
            Map<String, String> grader = new HashMap<>(model.settings());
            grader.put("countersign.grader.tiers.heavy", "fake/judge");
            grader.put("countersign.grader.timeout", "5m");
            grader.put("countersign.verify.gate-budget", "10m");
            try (ServiceProcess service =
                    ServiceProcess.start(postgres.url(), log, List.of("-Xmx512m"), grader)) {
                measure(postgres, service, model);
            }
        }
    }

    private static void measure(
            BenchPostgres postgres, ServiceProcess service, FakeModelServer model)
            throws Exception {
        BenchClient client = new BenchClient(service);
        Callable<?> deterministic =
                () -> client.post("dev-orchestrator", "/v1/verifications", CHECKED);
        Latencies alone = Latencies.of(200, 200, deterministic);
        long begun = System.nanoTime();
        for (int i = 0; i < WAITING; i++) {
            client.submit("dev-orchestrator", "/v1/verifications", GRADED);
        }
        int most = 0;
        Map<String, Long> footprint = Map.of();
        List<Latencies> beside = new ArrayList<>();
        while (count(postgres, "completed_at IS NULL") > 0) {
            if (System.nanoTime() - begun > PATIENCE.toNanos()) {
                throw new IllegalStateException("the graded verifications do not end");
            }
            int waiting = model.open();
            if (waiting > most) {
                most = waiting;
                footprint = service.footprint();
            }
            beside.add(Latencies.of(0, 20, deterministic));
        }
        Benchmark.print(
                WAITING + " verifications on a grader of " + EACH.toSeconds() + " s",
                "%d accepted in %.0f s, at most %d calls open (-Xmx512m, %s)",
                count(postgres, "accepted"),
                (System.nanoTime() - begun) / 1e9,
                most,
                footprint);
        Benchmark.print("a deterministic one alone", "%s", alone);
        Benchmark.print("a deterministic one beside them", "%s", Latencies.all(beside));
    }

    private static int count(BenchPostgres postgres, String which) throws Exception {
        return Integer.parseInt(
                postgres.value(
                        "SELECT count(*) FROM verification WHERE project = 'bench/graded' AND "
                                + which));
    }
}
