package io.countersign.kernel;

import io.micrometer.tracing.Span;
import io.micrometer.tracing.TraceContext;
import io.micrometer.tracing.Tracer;

import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;
import org.springframework.stereotype.Component;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Spans of work that no request carries: jobs, checks, calls of graders. A job goes on with the
 * trace in which it was submitted, as W3C Trace Context writes it. Safe for use by many threads.
 */
@Component
public class Spans {
    /** Traces nothing. */
    public static final Spans NONE = new Spans(Tracer.NOOP);

    /** How it ended, on every span of this service's own. */
    public static final String OUTCOME = "countersign.outcome";

    /** The key of the verification's id in the log context, from which every span takes it. */
    public static final String VERIFICATION = "verification";

    private static final Pattern TRACEPARENT =
            Pattern.compile("00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})");

    private final Tracer tracer;

    public Spans(Tracer tracer) {
        this.tracer = tracer;
    }

    /** The {@code traceparent} of what this thread does; empty when it is part of no trace. */
    public Optional<String> traceparent() {
        Span span = tracer.currentSpan();
        if (span == null) return Optional.empty();
        TraceContext context = span.context();
        String flags = Boolean.TRUE.equals(context.sampled()) ? "01" : "00";
        String parent = "00-" + context.traceId() + "-" + context.spanId() + "-" + flags;
        return TRACEPARENT.matcher(parent).matches() ? Optional.of(parent) : Optional.empty();
    }

    /** Opens a span below the one that this thread is in. Close it on this thread. */
    public Open open(String name) {
        return new Open(tracer, tracer.spanBuilder().name(name).start());
    }

    /**
     * Opens a span in the trace of a stored {@code traceparent}; null, or one that cannot be read,
     * begins a trace. Close it on this thread.
     */
    public Open resume(@Nullable String traceparent, String name) {
        Span.Builder span = tracer.spanBuilder().name(name);
        Matcher parent = TRACEPARENT.matcher(traceparent == null ? "" : traceparent);
        if (parent.matches()) {
            boolean sampled = (Integer.parseInt(parent.group(3), 16) & 1) == 1;
            span.setParent(
                    tracer.traceContextBuilder()
                            .traceId(parent.group(1))
                            .spanId(parent.group(2))
                            .sampled(sampled)
                            .build());
        } else {
            span.setNoParent();
        }
        return new Open(tracer, span.start());
    }

    /** Adds an attribute to the span that this thread is in, if it is in one. */
    public void tag(String key, String value) {
        Span span = tracer.currentSpan();
        if (span != null) span.tag(key, value);
    }

    /** An open span, which is its thread's current one until it is closed. */
    public static final class Open implements AutoCloseable {
        private final Span span;
        private final Tracer.SpanInScope scope;

        private Open(Tracer tracer, Span span) {
            this.span = span;
            this.scope = tracer.withSpan(span);
            String verification = MDC.get(VERIFICATION);
            if (verification != null) span.tag("countersign.verification", verification);
        }

        public Open tag(String key, String value) {
            span.tag(key, value);
            return this;
        }

        @Override
        public void close() {
            scope.close();
            span.end();
        }
    }
}
