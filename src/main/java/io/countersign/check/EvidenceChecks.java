package io.countersign.check;

import io.countersign.dod.Check;
import io.countersign.kernel.Cause;

/** The checks that assert on runtime evidence. */
final class EvidenceChecks {
    private static final Evaluation NOT_AVAILABLE =
            Evaluation.failed("not available in this version", Cause.INFRASTRUCTURE);

    private EvidenceChecks() {}

    static Evaluation evaluate(Check.ToolCalled check, CheckContext context) {
        return NOT_AVAILABLE;
    }

    static Evaluation evaluate(Check.ToolNotCalled check, CheckContext context) {
        return NOT_AVAILABLE;
    }

    static Evaluation evaluate(Check.EvidenceComplete check, CheckContext context) {
        return NOT_AVAILABLE;
    }
}
