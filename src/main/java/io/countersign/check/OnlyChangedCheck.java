package io.countersign.check;

import io.countersign.artefact.ChangeSet;
import io.countersign.dod.Check;
import io.countersign.kernel.Cause;

import java.util.List;

/** {@code onlyChanged}: every changed path matches. */
final class OnlyChangedCheck {
    static final String UNKNOWN =
            "the change-set is unknown: neither a list of changed files nor a base came along";

    private static final int SHOWN = 5;

    private OnlyChangedCheck() {}

    static Evaluation evaluate(Check.OnlyChanged check, ChangeSet changeSet) {
        if (changeSet instanceof ChangeSet.Unknown) return Evaluation.failed(UNKNOWN);
        Globs globs;
        try {
            globs = Globs.read(check.paths());
        } catch (Globs.BadGlob e) {
            return Evaluation.failed("paths " + e.getMessage(), Cause.DOD);
        }
        List<String> outside =
                Globs.touched(changeSet.named()).filter(path -> globs.match(path) == null).toList();
        if (outside.isEmpty()) return Evaluation.PASSED;
        String what =
                check.line() == Check.CONTRACT_LINE
                        ? "changed a path outside the contract"
                        : "changed outside " + check.paths();
        return Evaluation.failed(what + ": " + some(outside));
    }

    static String some(List<String> paths) {
        String shown = String.join(", ", paths.subList(0, Math.min(SHOWN, paths.size())));
        int more = paths.size() - SHOWN;
        return more > 0 ? shown + " and " + more + " more" : shown;
    }
}
