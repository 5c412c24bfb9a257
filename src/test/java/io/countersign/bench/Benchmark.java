package io.countersign.bench;

import io.countersign.check.sandbox.Command;
import io.countersign.check.sandbox.Limits;
import io.countersign.check.sandbox.Outcome;
import io.countersign.check.sandbox.Sandbox;
import io.countersign.support.ServiceProcess;

import tools.jackson.databind.JsonNode;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * The product's own benchmark: everything side by side in one run, on one durable Postgres. Run it
 * with {@code ./mvnw verify -Pbench}; what it prints is explained in {@code docs/benchmarks.md}.
 * Arguments name the parts to run; without any, all are.
 */
public final class Benchmark {
    static final int CLIENTS = 32;
    private static final int WARM_UP = 15_000;
    static final int SECONDS = 10;
    private static final int REQUESTS = 40_000;

    /** Of a verification: it is queued, a run begins, its verdict is stored. */
    private static final int DURABLE_TRANSACTIONS = 3;

    private static final String FILE_EXISTS =
            """
            {"project": "bench", "acceptance": "[acceptance]\\ncheck: fileExists path=a.txt\\n\
            [/acceptance]", "producer": {"id": "ses_1"}, "workspace": {"files": {"a.txt": "x"}}}""";

    private static final String PARSE =
            """
            {"text": "[acceptance]\\ncheck: fileExists path=a.txt\\n[/acceptance]"}""";

    private Benchmark() {}

    public static void main(String[] args) throws Exception {
        List<String> parts =
                args.length > 0
                        ? List.of(args)
                        : List.of("verifications", "overhead", "trust", "history", "graders");
        Path directory = Files.createTempDirectory("countersign-bench");
        Path log = directory.resolve("service.log");
        try (BenchPostgres postgres = BenchPostgres.start()) {
            try (ServiceProcess service =
                    ServiceProcess.start(postgres.url(), log, List.of("-Xmx1g"), Map.of())) {
                BenchClient client = new BenchClient(service);
                print("start-up on an empty database", "%.1f s", seconds(service.startUp()));
                print("idle", "%s", service.footprint());
                if (parts.contains("verifications")) verifications(postgres, client);
                if (parts.contains("overhead")) overhead(client, directory);
                if (parts.contains("trust")) new TrustBench(postgres, client).run();
                if (parts.contains("history")) history(postgres, client);
                print("after the run", "%s", service.footprint());
            }
            if (parts.contains("graders")) GraderBench.run(postgres, log);
        }
        // The sandbox's launcher thread is no daemon.
        System.exit(0);
    }

    private static void verifications(BenchPostgres postgres, BenchClient client) throws Exception {
        // The JVM compiles for about as long.
        BenchClient.perSecond(
                CLIENTS,
                WARM_UP,
                () -> client.post("dev-orchestrator", "/v1/verifications", FILE_EXISTS));
        double verifications =
                BenchClient.perSecond(
                        CLIENTS,
                        5_000,
                        () -> client.post("dev-orchestrator", "/v1/verifications", FILE_EXISTS));
        postgres.pgbenchTables();
        OptionalDouble simple = postgres.pgbench(CLIENTS, SECONDS, "-b", "simple-update");
        print("fileExists verifications end to end", "%.0f /s", verifications);
        ratio("pgbench -b simple-update", verifications, simple, 0.25);
        ceiling(requests(client, "dev-orchestrator"), simple, DURABLE_TRANSACTIONS);
    }

    /** Requests per second that the service answers without its database: a DoD is parsed. */
    static double requests(BenchClient client, String key) throws Exception {
        double requests =
                BenchClient.perSecond(
                        CLIENTS, REQUESTS, () -> client.post(key, "/v1/dod/parse", PARSE));
        print("requests that need no database", "%.0f /s", requests);
        return requests;
    }

    /**
     * What the ratio to pgbench could be at most here, were one request free of all but HTTP and
     * its durable transactions as cheap as pgbench's own: all of it shares the same processors.
     */
    static void ceiling(double requests, OptionalDouble pgbench, int transactions) {
        if (pgbench.isEmpty()) return;
        double theirs = pgbench.getAsDouble();
        double most = 1 / (1 / requests + transactions / theirs);
        print("ceiling of the ratio", "%.2f", most / theirs);
    }

    private static void overhead(BenchClient client, Path directory) throws Exception {
        client.put(
                "dev-admin",
                "/v1/projects/bench-run",
                "{\"commands\": {\"allowlist\": [\"true\"]}}");
        String request =
                """
                {"project": "bench-run", "acceptance": "[acceptance]\\ncheck: run command=\\"true\\"\\n\
                [/acceptance]", "producer": {"id": "ses_1"}, "workspace": {"files": {"a.txt": "x"}}}""";
        Sandbox sandbox = BenchSandbox.create();
        // The sandbox's own user must be able to pass.
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx--x--x"));
        Path workspace = Files.createDirectory(directory.resolve("workspace"));
        Command command = new Command(List.of("true"), workspace, "", List.of(), Map.of(), null);
        List<Latencies> both =
                Latencies.alternating(
                        200,
                        300,
                        () -> client.post("dev-orchestrator", "/v1/verifications", request),
                        () -> ran(sandbox.run(command, Limits.of(Duration.ofSeconds(10)))));
        Latencies gate = both.get(0);
        Latencies bare = both.get(1);
        print("run command=\"true\" end to end", "%s", gate);
        print("bare process in the same sandbox", "%s (%s)", bare, sandbox.isolation());
        print(
                "the gate's own overhead",
                "%.1f ms p50 (aim: under 15)",
                gate.p50Ms() - bare.p50Ms());
    }

    private static Outcome ran(Outcome outcome) {
        if (outcome instanceof Outcome.Exited(int code, var output, var duration) && code == 0) {
            return outcome;
        }
        throw new IllegalStateException("the bare process did not run: " + outcome);
    }

    private static void history(BenchPostgres postgres, BenchClient client) throws Exception {
        client.post("dev-orchestrator", "/v1/verifications", FILE_EXISTS);
        fill(postgres, "history/thousand", 1_000);
        fill(postgres, "history/million", 1_000_000);
        postgres.sql("ANALYZE verification");
        List<Latencies> both =
                Latencies.alternating(
                        300,
                        300,
                        () -> page(client, "history/thousand"),
                        () -> page(client, "history/million"));
        Latencies thousand = both.get(0);
        Latencies million = both.get(1);
        print("history page of 50 at a thousand rows", "%s", thousand);
        print("history page of 50 at a million rows", "%s", million);
        print("ratio", "%.2f (aim: under 1.3)", million.p50Ms() / thousand.p50Ms());
    }

    private static JsonNode page(BenchClient client, String project) throws Exception {
        return client.get(
                "dev-orchestrator", "/v1/verifications?accepted=false&project=" + project);
    }

    /** Copies one real verdict of the run many times, so that rows look as the service's own do. */
    private static void fill(BenchPostgres postgres, String project, int rows) throws Exception {
        String columns =
                "status, mode, wiring, requested_by, producer_id, input, policy, policy_sha256, dod,"
                        + " run, pass, skipped, method, cause, assurance, reasons, findings,"
                        + " evidence, queued_at, started_at, completed_at";
        postgres.sql(
                "INSERT INTO verification (id, project, accepted, "
                        + columns
                        + ") SELECT uuidv7(), '"
                        + project
                        + "', n % 2 = 0, "
                        + columns
                        + " FROM (SELECT * FROM verification WHERE project = 'bench' LIMIT 1) one,"
                        + " generate_series(1, "
                        + rows
                        + ") n");
    }

    static void ratio(String name, double ours, OptionalDouble theirs, double aim) {
        if (theirs.isEmpty()) {
            print(name, "not measured: pgbench is not installed");
            return;
        }
        print(name, "%.0f /s", theirs.getAsDouble());
        print("ratio", "%.2f (aim: %.2f or more)", ours / theirs.getAsDouble(), aim);
    }

    private static double seconds(Duration duration) {
        return duration.toMillis() / 1e3;
    }

    /** One line of the report. */
    static void print(String name, String format, Object... values) {
        System.out.printf("%-45s " + format + "%n", prepend(name, values));
    }

    private static Object[] prepend(String name, Object[] values) {
        Object[] all = new Object[values.length + 1];
        all[0] = name;
        System.arraycopy(values, 0, all, 1, values.length);
        return all;
    }
}
