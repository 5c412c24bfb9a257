package io.countersign.grader.provider;

import java.util.concurrent.atomic.AtomicInteger;

/** One attempt on its virtual thread, and what its caller and it must know of each other. */
final class Exchange {
    /** The gate or somebody cancelled it, which says nothing about the provider. */
    static final class Aborted extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Aborted() {
            super("aborted", null, false, false);
        }
    }

    private final AdaptiveClient client;
    private final Question question;
    private final AtomicInteger requests;
    private volatile boolean started;
    private volatile boolean aborted;

    Exchange(AdaptiveClient client, Question question, AtomicInteger requests) {
        this.client = client;
        this.question = question;
        this.requests = requests;
    }

    AdaptiveClient.Sent run() {
        started = true;
        try {
            return client.send(question, requests);
        } catch (ProviderFault fault) {
            if (aborted) throw new Aborted();
            if (Thread.currentThread().isInterrupted()) {
                throw ProviderFault.of(ProviderFault.Kind.TIMEOUT, "cancelled at its limit");
            }
            throw fault;
        }
    }

    /** Call before the interrupt. */
    void abort() {
        aborted = true;
    }

    String timedOut(long millis) {
        return started
                ? "no answer within " + millis + "ms"
                : "no free slot within " + millis + "ms";
    }
}
