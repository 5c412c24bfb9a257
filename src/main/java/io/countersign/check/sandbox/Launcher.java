package io.countersign.check.sandbox;

import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Starts every process from one platform thread that lives as long as the JVM. {@code
 * --die-with-parent} means the Java <em>thread</em> that started a process: from a virtual or pool
 * thread a sandbox would die with a thread that merely went idle.
 */
final class Launcher {
    private static final ExecutorService THREAD =
            Executors.newSingleThreadExecutor(
                    Thread.ofPlatform().name("sandbox-launcher").daemon().factory());

    private Launcher() {}

    /**
     * Starts the process. An interrupt is kept for the caller's next wait, so that a process that
     * was started is never lost from sight.
     */
    static Process start(ProcessBuilder builder) throws IOException {
        Callable<Process> start = builder::start;
        Future<Process> started = THREAD.submit(start);
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return started.get();
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (ExecutionException e) {
                    if (e.getCause() instanceof IOException io) throw io;
                    throw new IllegalStateException("cannot start a process", e.getCause());
                }
            }
        } finally {
            if (interrupted) Thread.currentThread().interrupt();
        }
    }
}
