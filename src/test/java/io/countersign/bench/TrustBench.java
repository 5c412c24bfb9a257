package io.countersign.bench;

import tools.jackson.databind.JsonNode;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Decisions and consumptions of receipts per second, over HTTP, with keys that are looked up as
 * those of a server are. Part of {@link Benchmark}.
 */
final class TrustBench {
    private static final int WARM_UP = 4_000;
    private static final int DECISIONS = 4_000;
    private static final int CONSUMPTIONS = 12_000;

    /** More rows for each of pgbench's clients than it will come to. */
    private static final int ROWS_PER_CLIENT = 20_000;

    private static final String DECISION =
            """
            {"project": "bench-trust", "verdict": {"schema": "verify_gate.verdict.v1",
              "artifact": "pr-12", "drafter_id": "author", "producer_id": "reviewer",
              "lenses": [{"lens": "correctness", "verdict": "holds", "probe": "read it all"}]},
             "attestation": {"schema": "verify_gate.attestation.v1", "anchor_kind": "ci",
              "anchor_id": "run-1", "producer_id": "reviewer", "context_isolated": true},
             "changeSet": {"files": [{"path": "src/x.py", "sha256": "%s"}]}}\
            """
                    .formatted("ab".repeat(32));

    private final BenchPostgres postgres;
    private final BenchClient client;

    TrustBench(BenchPostgres postgres, BenchClient client) {
        this.postgres = postgres;
        this.client = client;
    }

    void run() throws Exception {
        String key = key();
        JsonNode receipt = decisions(key);
        consumptions(key, receipt);
    }

    private String key() throws Exception {
        client.put(
                "dev-admin",
                "/v1/principals/bench-ci",
                """
                {"id": "bench-ci", "kind": "ci", "roles": ["attestor", "consumer"],
                 "anchorKinds": ["ci"], "projects": ["bench-trust"]}""");
        return client.post("dev-admin", "/v1/principals/bench-ci/keys", "{}")
                .get("secret")
                .asString();
    }

    /** Decisions that each store an attestation and a receipt; answers one such receipt. */
    private JsonNode decisions(String key) throws Exception {
        JsonNode receipt = client.post(key, "/v1/decisions", DECISION).get("receipt");
        if (!receipt.isObject()) throw new IllegalStateException("the decision earned no receipt");
        decide(key, WARM_UP / 4);
        Benchmark.print(
                "decisions with attestation and receipt", "%.0f /s", decide(key, DECISIONS));
        return receipt;
    }

    private double decide(String key, int total) throws Exception {
        return BenchClient.perSecond(
                Benchmark.CLIENTS, total, () -> client.post(key, "/v1/decisions", DECISION));
    }

    private void consumptions(String key, JsonNode receipt) throws Exception {
        Queue<String> receipts = copies(receipt.get("id").asString());
        String demand =
                "{\"changeSet\": {\"sha256\": \"%s\"}, \"purpose\": \"merge PR 12\"}"
                        .formatted(receipt.get("changeSetSha256").asString());
        consume(key, WARM_UP, receipts, demand);
        double ours = consume(key, CONSUMPTIONS, receipts, demand);
        Benchmark.print("receipts consumed over HTTP", "%.0f /s", ours);
        OptionalDouble updates = updates();
        Benchmark.ratio("pgbench, one conditional UPDATE of a row", ours, updates, 0.5);
        Benchmark.ceiling(Benchmark.requests(client, "dev-orchestrator"), updates, 1);
    }

    private double consume(String key, int total, Queue<String> receipts, String demand)
            throws Exception {
        return BenchClient.perSecond(
                Benchmark.CLIENTS,
                total,
                () -> client.post(key, "/v1/receipts/" + receipts.remove() + "/consume", demand));
    }

    /** Fresh rows like the given one: making each by a decision would take longer than the rest. */
    private Queue<String> copies(String receipt) throws Exception {
        String columns =
                "project, change_set_sha256, assurance, min_assurance, issued_at, expires_at,"
                        + " document, key_id, signature, files";
        postgres.sql(
                "INSERT INTO receipt (id, decision_id, nonce, %1$s) SELECT uuidv7(), uuidv4(),"
                                .formatted(columns)
                        + " 'bench-' || n, %1$s FROM receipt, generate_series(1, %2$d) n WHERE id = '%3$s'"
                                .formatted(columns, WARM_UP + CONSUMPTIONS, receipt),
                "VACUUM ANALYZE receipt");
        String ids =
                postgres.value(
                        "SELECT string_agg(id::text, ' ') FROM receipt WHERE nonce LIKE 'bench-%'");
        return new ConcurrentLinkedQueue<>(List.of(ids.split(" ")));
    }

    /** Each of pgbench's clients takes rows of its own, one after the other. */
    private OptionalDouble updates() throws Exception {
        postgres.sql(
                "CREATE TABLE bench_row (id int PRIMARY KEY, consumed_at timestamptz) WITH (fillfactor = 80)",
                "INSERT INTO bench_row SELECT n FROM generate_series(0, %d) n"
                        .formatted(Benchmark.CLIENTS * ROWS_PER_CLIENT),
                "VACUUM ANALYZE bench_row",
                "CHECKPOINT");
        Path script = Files.createTempFile("countersign-consume", ".sql");
        Files.writeString(
                script,
                """
                \\set n :n + 1
                \\set id :client_id * %d + :n
                UPDATE bench_row SET consumed_at = now() WHERE id = :id AND consumed_at IS NULL;
                """
                        .formatted(ROWS_PER_CLIENT));
        try {
            return postgres.pgbench(
                    Benchmark.CLIENTS, Benchmark.SECONDS, "-f", script.toString(), "-D", "n=0");
        } finally {
            Files.delete(script);
        }
    }
}
