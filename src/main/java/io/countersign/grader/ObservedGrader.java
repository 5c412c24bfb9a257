package io.countersign.grader;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.concurrent.TimeUnit;

/** Measures gradings as {@code countersign.gradings} and logs those that brought no verdict. */
record ObservedGrader(Grader grader, MeterRegistry meters) implements Grader {
    private static final Logger LOG = LoggerFactory.getLogger(Grader.class);

    @Override
    public Graded grade(GradingRequest request) throws InterruptedException {
        Graded graded = grader.grade(request);
        GradingRow row = graded.row();
        Timer.builder("countersign.gradings")
                .description("Gradings that ended")
                .tag("outcome", row.outcome().wire())
                .tag("provider", row.provider() == null ? "none" : row.provider())
                .tag("tier", row.tier() == null ? "none" : row.tier().wire())
                .register(meters)
                .record(row.latencyMs(), TimeUnit.MILLISECONDS);
        if (row.outcome() != GradingOutcome.PASSED && row.outcome() != GradingOutcome.FAILED) {
            LOG.warn(
                    "Grading {} ended without a usable verdict ({}): {}",
                    row.graderId(),
                    row.outcome().wire(),
                    row.reasons().getFirst());
        }
        return graded;
    }
}
