package io.countersign.local;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Prints what is wrong and what to do instead of a stack trace. */
final class LocalModeFailureAnalyzer extends AbstractFailureAnalyzer<LocalModeException> {
    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, LocalModeException cause) {
        return new FailureAnalysis(cause.getMessage(), cause.action(), cause);
    }
}
