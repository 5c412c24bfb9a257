package io.countersign.grader;

import io.countersign.kernel.Cause;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A grader for tests of whatever uses one: answers as scripted, in order, the last answer for every
 * further request, and keeps what it was asked. It never passes unless told to.
 */
public final class ScriptedGrader implements Grader {
    /** What one request gets. */
    @FunctionalInterface
    public interface Script {
        Graded grade(GradingRequest request) throws InterruptedException;
    }

    private final Deque<Script> scripts = new ArrayDeque<>();
    private final List<GradingRequest> requests = new CopyOnWriteArrayList<>();
    private Script last = request -> failing("nothing was scripted");

    public synchronized ScriptedGrader then(Script script) {
        scripts.add(script);
        return this;
    }

    public ScriptedGrader passes(String... reasons) {
        return then(request -> graded(GradingOutcome.PASSED, null, List.of(reasons)));
    }

    public ScriptedGrader fails(String... reasons) {
        return then(request -> graded(GradingOutcome.FAILED, Cause.WORK, List.of(reasons)));
    }

    /** As if no provider answered. */
    public ScriptedGrader unavailable() {
        return then(
                request ->
                        graded(
                                GradingOutcome.UNAVAILABLE,
                                Cause.INFRASTRUCTURE,
                                List.of("grader unavailable: scripted")));
    }

    /** Waits until it is interrupted. */
    public ScriptedGrader hangs() {
        return then(
                request -> {
                    new java.util.concurrent.CountDownLatch(1).await();
                    throw new IllegalStateException("nobody counts down");
                });
    }

    public List<GradingRequest> requests() {
        return List.copyOf(requests);
    }

    @Override
    public Graded grade(GradingRequest request) throws InterruptedException {
        requests.add(request);
        return next().grade(request);
    }

    private synchronized Script next() {
        Script script = scripts.poll();
        if (script != null) last = script;
        return last;
    }

    private static Graded failing(String reason) {
        return graded(GradingOutcome.FAILED, Cause.WORK, List.of(reason));
    }

    private static Graded graded(GradingOutcome outcome, Cause cause, List<String> reasons) {
        boolean pass = outcome == GradingOutcome.PASSED;
        GradingRow row =
                new GradingRow(
                        UUID.randomUUID(),
                        outcome,
                        pass,
                        cause == null ? null : cause.wire(),
                        reasons,
                        Tier.HEAVY,
                        "scripted",
                        "scripted-1",
                        "scripted-1",
                        null,
                        null,
                        null,
                        null,
                        0,
                        1,
                        0.0,
                        false,
                        false,
                        null,
                        List.of(),
                        List.of());
        return new Graded(new GradingResult(pass, reasons, cause, List.of()), row);
    }
}
