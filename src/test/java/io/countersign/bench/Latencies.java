package io.countersign.bench;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.LongStream;

/** Latencies of repeated calls, in microseconds. */
record Latencies(long[] sortedMicros) {
    /** Runs {@code call} {@code warmUp} times unmeasured, then {@code times} times. */
    static Latencies of(int warmUp, int times, Callable<?> call) throws Exception {
        return alternating(warmUp, times, call).getFirst();
    }

    /** The same for several calls in turn, so that what disturbs one disturbs the others too. */
    static List<Latencies> alternating(int warmUp, int times, Callable<?>... calls)
            throws Exception {
        long[][] micros = new long[calls.length][times];
        for (int i = -warmUp; i < times; i++) {
            for (int call = 0; call < calls.length; call++) {
                long begun = System.nanoTime();
                calls[call].call();
                if (i >= 0) micros[call][i] = (System.nanoTime() - begun) / 1_000;
            }
        }
        return Arrays.stream(micros).map(LongStream::of).map(Latencies::new).toList();
    }

    private Latencies(LongStream micros) {
        this(micros.sorted().toArray());
    }

    static Latencies all(List<Latencies> some) {
        return new Latencies(some.stream().flatMapToLong(one -> LongStream.of(one.sortedMicros)));
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
