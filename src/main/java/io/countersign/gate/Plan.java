package io.countersign.gate;

import io.countersign.dod.Check;
import io.countersign.dod.Dod;
import io.countersign.kernel.Cause;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/** What must happen before there is a verdict. */
public sealed interface Plan {
    /** The request's own Definition of Done. */
    Dod dod();

    /** Nothing to verify: accepted, but no pass, no receipt. */
    record Skip(Dod dod, String reason) implements Plan {}

    /** Not accepted, and nothing runs. */
    record Refuse(Dod dod, Cause cause, List<String> reasons) implements Plan {
        public Refuse {
            reasons = List.copyOf(reasons);
        }
    }

    /**
     * Run the checks, then grade what must be graded.
     *
     * @param baseline the project's own block; null for none. It is judged after the request's own
     *     and both must hold
     * @param gradesOwnCriteria whether the request's criteria are graded: a checker DoD, or a mixed
     *     one whose policy says so
     */
    record Verify(Dod dod, @Nullable Dod baseline, boolean gradesOwnCriteria) implements Plan {
        /** The request's checks, then the baseline's: results keep this order. */
        public List<Check> checks() {
            List<Check> all = new ArrayList<>(dod.checks());
            if (baseline != null) all.addAll(baseline.checks());
            return all;
        }

        /**
         * The criteria to grade once the checks have ended. Own criteria are not worth a grader
         * after an own check failed; a baseline's are always graded, and neither one's checks stop
         * the other's grading.
         */
        public List<String> criteria(boolean ownChecksPassed) {
            List<String> all = new ArrayList<>();
            if (gradesOwnCriteria && ownChecksPassed) all.addAll(dod.criteria());
            if (baseline != null) all.addAll(baseline.criteria());
            return all;
        }
    }
}
