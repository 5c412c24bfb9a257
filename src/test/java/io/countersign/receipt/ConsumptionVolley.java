package io.countersign.receipt;

import io.countersign.support.ServiceClient;
import io.countersign.support.ServiceClient.Answer;

import org.jspecify.annotations.Nullable;

import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Many clients that consume one receipt at the same instant, taking turns between services. */
final class ConsumptionVolley {
    private final String receipt;
    private final Map<String, Object> demand;
    private final boolean keyed;

    /**
     * @param keyed whether each client sends an {@code Idempotency-Key} of its own
     */
    ConsumptionVolley(String receipt, String changeSetSha256, boolean keyed) {
        this.receipt = receipt;
        this.demand = Map.of("changeSet", Map.of("sha256", changeSetSha256));
        this.keyed = keyed;
    }

    /**
     * What one client got.
     *
     * @param client its number
     * @param service whom it asked: index into the services
     * @param answer null when the connection broke
     * @param after from the volley's begin to the answer
     */
    record Reply(int client, int service, @Nullable Answer answer, Duration after) {
        boolean spent() {
            return answer != null && answer.status() == 200;
        }

        /** Status and code; {@code broken} for an answer that never came. */
        String summary() {
            return answer == null
                    ? "broken"
                    : answer.status() + " " + answer.at("/code").asString("-");
        }
    }

    /**
     * Fires; returns when every client has its answer or lost its connection.
     *
     * @param begun runs as the first requests leave
     */
    List<Reply> fire(int clients, List<ServiceClient> services, Runnable begun)
            throws InterruptedException {
        CountDownLatch gate = new CountDownLatch(1);
        ConcurrentLinkedQueue<Reply> replies = new ConcurrentLinkedQueue<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> all = new ArrayList<>();
            long begin = System.nanoTime();
            for (int i = 0; i < clients; i++) {
                int client = i;
                int service = i % services.size();
                all.add(
                        threads.submit(
                                () -> {
                                    gate.await();
                                    Answer answer = ask(client, services.get(service));
                                    Duration after = Duration.ofNanos(System.nanoTime() - begin);
                                    replies.add(new Reply(client, service, answer, after));
                                    return null;
                                }));
            }
            begun.run();
            gate.countDown();
            for (Future<?> one : all) one.get();
        } catch (java.util.concurrent.ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
        return List.copyOf(replies);
    }

    /**
     * One client's request; null when its connection broke. A busy machine may answer 503, which
     * tells a client to ask again.
     */
    @Nullable Answer ask(int client, ServiceClient service) {
        ServiceClient consumer = service.as("dev-ci");
        if (keyed) {
            consumer = consumer.with("Idempotency-Key", receipt + "-" + client);
        }
        try {
            Answer answer = consumer.post("/v1/receipts/" + receipt + "/consume", demand);
            return answer.status() == 503 ? ask(client, service) : answer;
        } catch (UncheckedIOException e) {
            return null;
        }
    }
}
