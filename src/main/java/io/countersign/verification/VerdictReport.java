package io.countersign.verification;

import io.countersign.check.CheckResult;
import io.countersign.gate.Verdict;
import io.countersign.grader.Graded;
import io.countersign.kernel.Spans;
import io.countersign.scrub.Clean;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;
import org.springframework.stereotype.Component;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.StringJoiner;

/** Tells operators about a stored verdict: one log line, a metric, the outcome of the span. */
@Component
class VerdictReport {
    private static final Logger log = LoggerFactory.getLogger("io.countersign.verdict");
    private static final int REASON_CHARS = 300;

    private final MeterRegistry meters;
    private final Spans spans;
    private final WorkerName worker;

    VerdictReport(MeterRegistry meters, Spans spans, WorkerName worker) {
        this.meters = meters;
        this.spans = spans;
        this.worker = worker;
    }

    void concluded(RunContext context, Conclusion conclusion, @Nullable Graded graded) {
        Verdict verdict = conclusion.verdict();
        spans.tag(Spans.OUTCOME, word(verdict));
        Timer.builder("countersign.verifications")
                .description("Verifications from queued to verdict")
                .tag("verdict", word(verdict))
                .tag("method", verdict.method().wire())
                .tag("cause", cause(verdict))
                .register(meters)
                .record(Duration.between(context.claim().queuedAt(), conclusion.at()));
        write(facts(context, conclusion, graded));
    }

    /** The checks are stored, and what must be judged waits for the other lane. */
    void handedOver() {
        spans.tag(Spans.OUTCOME, "handed_over");
    }

    private Map<String, Object> facts(
            RunContext context, Conclusion conclusion, @Nullable Graded graded) {
        VerificationStore.Claim claim = context.claim();
        Verdict verdict = conclusion.verdict();
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("id", context.id());
        facts.put("project", context.project());
        facts.put("verdict", word(verdict));
        facts.put("accepted", verdict.accepted());
        facts.put("method", verdict.method().wire());
        facts.put("cause", cause(verdict));
        facts.put("assurance", verdict.assurance().wire());
        facts.put("queueMs", Duration.between(claim.queuedAt(), claim.startedAt()).toMillis());
        facts.put("checksMs", checks(conclusion).toMillis());
        facts.put("gradingMs", graded == null ? 0 : graded.row().latencyMs());
        facts.put("totalMs", Duration.between(claim.queuedAt(), conclusion.at()).toMillis());
        facts.put("run", claim.run());
        facts.put("worker", worker.value());
        facts.put("reason", Clean.line(verdict.reasons().getFirst(), REASON_CHARS));
        return facts;
    }

    private static Duration checks(Conclusion conclusion) {
        return conclusion.checks().stream()
                .map(CheckResult::duration)
                .reduce(Duration.ZERO, Duration::plus);
    }

    /** As text for people, and as members of their own for logs that are written as JSON. */
    private static void write(Map<String, Object> facts) {
        StringJoiner text = new StringJoiner(" ");
        LoggingEventBuilder line = log.atInfo();
        for (Map.Entry<String, Object> fact : facts.entrySet()) {
            text.add(fact.getKey() + "=" + fact.getValue());
            line = line.addKeyValue("countersign." + fact.getKey(), fact.getValue());
        }
        line.log(text.toString());
    }

    private static String word(Verdict verdict) {
        return verdict.pass() ? "pass" : verdict.skipped() ? "skip" : "fail";
    }

    private static String cause(Verdict verdict) {
        return verdict.cause() == null ? "none" : verdict.cause().wire();
    }
}
