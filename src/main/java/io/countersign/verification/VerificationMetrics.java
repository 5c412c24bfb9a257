package io.countersign.verification;

import io.countersign.gate.Verdict;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;

import org.springframework.stereotype.Component;

import java.time.Duration;

/** Counts and times verdicts; see {@code docs/metrics.md}. */
@Component
class VerificationMetrics {
    private final MeterRegistry meters;

    VerificationMetrics(MeterRegistry meters) {
        this.meters = meters;
    }

    void concluded(RunContext context, Conclusion conclusion) {
        Verdict verdict = conclusion.verdict();
        Timer.builder("countersign.verifications")
                .description("Verifications from queued to verdict")
                .tag("verdict", verdict.pass() ? "pass" : verdict.skipped() ? "skip" : "fail")
                .tag("method", verdict.method().wire())
                .tag("cause", verdict.cause() == null ? "none" : verdict.cause().wire())
                .register(meters)
                .record(Duration.between(context.claim().queuedAt(), conclusion.at()));
    }
}
