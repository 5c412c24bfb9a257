package io.countersign.schema;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Prints what is wrong and what to do instead of a stack trace. */
final class SchemaFailureAnalyzer extends AbstractFailureAnalyzer<SchemaException> {
    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, SchemaException cause) {
        return new FailureAnalysis(cause.getMessage(), cause.action(), cause);
    }
}
