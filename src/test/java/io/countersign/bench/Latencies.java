package io.countersign.bench;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;

/** Latencies of repeated calls, in microseconds. */
record Latencies(long[] sortedMicros) {
    /** Runs {@code call} {@code warmUp} times unmeasured, then {@code times} times. */
    static Latencies of(int warmUp, int times, Callable<?> call) throws Exception {
        for (int i = 0; i < warmUp; i++) call.call();
        long[] micros = new long[times];
        for (int i = 0; i < times; i++) {
            long begun = System.nanoTime();
            call.call();
            micros[i] = (System.nanoTime() - begun) / 1_000;
        }
        Arrays.sort(micros);
        return new Latencies(micros);
    }

    static Latencies all(List<Latencies> some) {
        return new Latencies(
                some.stream()
                        .flatMapToLong(one -> Arrays.stream(one.sortedMicros))
                        .sorted()
                        .toArray());
    }

    double p50Ms() {
        return at(0.50);
    }

    double p99Ms() {
        return at(0.99);
    }

    private double at(double quantile) {
        return sortedMicros[(int) (quantile * (sortedMicros.length - 1))] / 1_000.0;
    }

    @Override
    public String toString() {
        return "p50 %.1f ms, p99 %.1f ms".formatted(p50Ms(), p99Ms());
    }
}
