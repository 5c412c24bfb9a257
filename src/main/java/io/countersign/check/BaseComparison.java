package io.countersign.check;

/**
 * {@code failToPass} and {@code passToPass}, which compare a run on the base with one on the work.
 */
final class BaseComparison {
    static final Evaluation NOT_AVAILABLE =
            Evaluation.failed(
                    "not available in this version", io.countersign.kernel.Cause.INFRASTRUCTURE);

    private BaseComparison() {}
}
