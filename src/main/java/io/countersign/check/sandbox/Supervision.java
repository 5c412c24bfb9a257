package io.countersign.check.sandbox;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** Watches one started process tree to its end, and ends it where it must. */
final class Supervision {
    private static final Logger log = LoggerFactory.getLogger(Supervision.class);

    private static final ExecutorService READERS =
            Executors.newCachedThreadPool(
                    Thread.ofPlatform().name("sandbox-output-", 0).daemon().factory());

    private static final long TICK = Duration.ofMillis(25).toNanos();

    /** Together less than the second within which an outcome must come. */
    private static final long KILLING = Duration.ofMillis(600).toNanos();

    private static final long DRAINING = Duration.ofMillis(250).toNanos();

    private final Process process;
    private final ProcessTree tree;
    private final Limits limits;
    private final long start = System.nanoTime();
    private final AtomicLong written = new AtomicLong();
    private final StreamCapture stdout;
    private final StreamCapture stderr;

    Supervision(Process process, ProcessTree tree, Command command, Limits limits) {
        this.process = process;
        this.tree = tree;
        this.limits = limits;
        long kept = limits.keptOutput().toBytes();
        this.stdout = new StreamCapture(kept, command.expect(), written);
        this.stderr = new StreamCapture(kept, command.expect(), written);
    }

    /**
     * Returns when no process of the tree is left, or half a second after it was killed.
     *
     * @throws InterruptedException when this thread is interrupted; the tree was killed then
     */
    Ended toItsEnd() throws InterruptedException {
        List<Future<?>> readers =
                List.of(
                        READERS.submit(() -> read(process.getInputStream(), stdout)),
                        READERS.submit(() -> read(process.getErrorStream(), stderr)));
        Ended.How how;
        try {
            how = await();
        } catch (InterruptedException e) {
            endTree(true);
            drain(readers);
            throw e;
        }
        Duration duration = Duration.ofNanos(System.nanoTime() - start);
        endTree(!(how instanceof Ended.ByItself));
        drain(readers);
        boolean found = stdout.found() || stderr.found();
        return new Ended(
                withLateLimit(how),
                new Output(stdout.captured(), stderr.captured(), found),
                duration);
    }

    private Ended.How await() throws InterruptedException {
        long deadline = start + limits.wall().toNanos();
        while (true) {
            long left = deadline - System.nanoTime();
            if (process.waitFor(Math.clamp(left, 0, TICK), TimeUnit.NANOSECONDS)) {
                return new Ended.ByItself(process.exitValue());
            }
            if (left <= 0) return new Ended.AtDeadline();
            Optional<String> exceeded = exceeded();
            if (exceeded.isPresent()) return new Ended.AtLimit(exceeded.get());
        }
    }

    private Optional<String> exceeded() {
        return written.get() > limits.maxOutput().toBytes()
                ? Optional.of(LimitTexts.output(limits))
                : tree.exceeded();
    }

    /** A limit that was met just before the end, or that the command itself outlived. */
    private Ended.How withLateLimit(Ended.How how) {
        return how instanceof Ended.ByItself
                ? exceeded().<Ended.How>map(Ended.AtLimit::new).orElse(how)
                : how;
    }

    /** An interrupt cannot stop this: it is kept for whoever waits next. */
    private void endTree(boolean killFirst) {
        boolean interrupted = Thread.interrupted();
        long deadline = System.nanoTime() + KILLING;
        long grace = System.nanoTime() + TICK;
        boolean kill = killFirst || !tree.endsByItself();
        for (long pause = 100_000; !tree.isGone(); pause = Math.min(pause * 2, 10_000_000)) {
            if (kill) tree.kill();
            kill = kill || System.nanoTime() > grace;
            if (System.nanoTime() > deadline) {
                log.warn("a process of a sandbox outlives its kill (started as {})", process.pid());
                break;
            }
            LockSupport.parkNanos(pause);
        }
        if (interrupted) Thread.currentThread().interrupt();
    }

    /**
     * Reads to the end. It holds the stream's monitor all the while, since the JDK would otherwise
     * read what is left on the process's exit itself, without any bound: a background child that
     * still writes would fill the heap.
     */
    private static void read(InputStream stream, StreamCapture capture) {
        byte[] buffer = new byte[64 * 1024];
        synchronized (stream) {
            try {
                for (int n; (n = stream.read(buffer)) >= 0; ) capture.accept(buffer, n);
            } catch (IOException e) {
                log.debug("the stream of a sandboxed process was closed", e);
            }
        }
    }

    private void drain(List<Future<?>> readers) {
        boolean interrupted = Thread.interrupted();
        long deadline = System.nanoTime() + DRAINING;
        for (Future<?> reader : readers) {
            try {
                reader.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
            } catch (InterruptedException e) {
                interrupted = true;
            } catch (TimeoutException e) {
                log.warn("a stream of a sandboxed process stays open after its end");
            } catch (ExecutionException e) {
                throw new IllegalStateException("cannot read a process", e.getCause());
            }
        }
        closeQuietly();
        if (interrupted) Thread.currentThread().interrupt();
    }

    private void closeQuietly() {
        try {
            process.getInputStream().close();
            process.getErrorStream().close();
            process.getOutputStream().close();
        } catch (IOException e) {
            log.debug("closing the streams of a process that ended", e);
        }
    }
}
