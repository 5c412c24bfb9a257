package io.countersign.check;

import io.countersign.kernel.Cause;

/**
 * {@code failToPass} and {@code passToPass}, which compare a run on the base with one on the work.
 */
final class BaseComparison {
    static final Evaluation NOT_AVAILABLE =
            Evaluation.failed("not available in this version", Cause.INFRASTRUCTURE);

    private BaseComparison() {}
}
