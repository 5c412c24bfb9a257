package io.countersign.check;

import io.countersign.artefact.ChangeSet;
import io.countersign.dod.Check;
import io.countersign.kernel.Cause;

import java.util.List;

/** {@code unchanged}: no changed path matches. */
final class UnchangedCheck {
    private UnchangedCheck() {}

    static Evaluation evaluate(Check.Unchanged check, ChangeSet changeSet) {
        if (changeSet instanceof ChangeSet.Unknown) {
            return Evaluation.failed(OnlyChangedCheck.UNKNOWN);
        }
        Globs globs;
        try {
            globs = Globs.read(check.paths());
        } catch (Globs.BadGlob e) {
            return Evaluation.failed("paths " + e.getMessage(), Cause.DOD);
        }
        List<String> touched =
                Globs.touched(changeSet.named()).filter(path -> globs.match(path) != null).toList();
        if (touched.isEmpty()) return Evaluation.PASSED;
        return Evaluation.failed(
                "changed although "
                        + check.paths()
                        + " must not: "
                        + OnlyChangedCheck.some(touched));
    }
}
