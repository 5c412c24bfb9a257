package io.countersign.bench;

import io.countersign.support.ServiceProcess;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/** Calls the benchmark's service, and many of its endpoints at once. */
final class BenchClient {
    static final JsonMapper JSON = JsonMapper.shared();

    private final HttpClient http = HttpClient.newHttpClient();
    private final ServiceProcess service;

    BenchClient(ServiceProcess service) {
        this.service = service;
    }

    JsonNode get(String key, String path) throws IOException, InterruptedException {
        return send(key, HttpRequest.newBuilder(service.uri(path)).GET());
    }

    /** Posts, and waits for what comes of it. */
    JsonNode post(String key, String path, String body) throws IOException, InterruptedException {
        return send(key, posting(path, body).header("Prefer", "wait=60"));
    }

    /** Posts without waiting for what comes of it. */
    JsonNode submit(String key, String path, String body) throws IOException, InterruptedException {
        return send(key, posting(path, body));
    }

    private HttpRequest.Builder posting(String path, String body) {
        return HttpRequest.newBuilder(service.uri(path))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body));
    }

    JsonNode put(String key, String path, String body) throws IOException, InterruptedException {
        return send(
                key,
                HttpRequest.newBuilder(service.uri(path))
                        .header("Content-Type", "application/json")
                        .PUT(HttpRequest.BodyPublishers.ofString(body)));
    }

    private JsonNode send(String key, HttpRequest.Builder request)
            throws IOException, InterruptedException {
        HttpResponse<byte[]> response =
                http.send(
                        request.header("Authorization", "Bearer " + key)
                                .timeout(Duration.ofSeconds(120))
                                .build(),
                        HttpResponse.BodyHandlers.ofByteArray());
        if (response.statusCode() >= 300) {
            throw new IllegalStateException(
                    response.statusCode() + " " + new String(response.body()));
        }
        return JSON.readTree(response.body());
    }

    /** Calls per second of {@code total} calls, {@code clients} at once. */
    static double perSecond(int clients, int total, Callable<?> call) throws Exception {
        AtomicInteger left = new AtomicInteger(total);
        long begun = System.nanoTime();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < clients; i++) {
                all.add(
                        threads.submit(
                                () -> {
                                    while (left.getAndDecrement() > 0) call.call();
                                    return null;
                                }));
            }
            for (Future<?> one : all) one.get();
        }
        return total / ((System.nanoTime() - begun) / 1e9);
    }
}
