package io.countersign.evidence;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;

/** A document whose shape is right; whether it tells one consistent story is still open. */
record Draft(Claim claim, List<Observation> observations, Coverage coverage) {
    /** What a document or boundary says that it is worth. */
    record Claim(EvidenceStatus status, boolean eligible) {}

    /** Starts, terminals and missing terminals. */
    record Calls(Count starts, Count terminals, Count missing) {
        List<Count> all() {
            return List.of(starts, terminals, missing);
        }

        boolean allOf(Class<? extends Count> state) {
            return all().stream().allMatch(state::isInstance);
        }
    }

    /** How often the observer, or a callback that it gave out, failed. */
    record Failures(Count observer, Count callback) {
        boolean isNone() {
            return observer.isZero() && callback.isZero();
        }
    }

    /** What the host says was lost, and what it cannot see. */
    record Gaps(List<String> losses, List<String> unsupported) {}

    record BoundaryReport(Claim claim, Calls calls) {}

    enum ProcessState {
        COMPLETED,
        TIMEOUT,
        INTERRUPTED,
        UNSUPPORTED
    }

    /**
     * @param closed null when the transport cannot say
     */
    record Coverage(
            @Nullable Boolean closed,
            ProcessState process,
            Calls calls,
            Failures failures,
            Gaps gaps,
            Map<Boundary, BoundaryReport> boundaries) {
        /** Whether the host can observe anything at all. */
        boolean observes() {
            return process != ProcessState.UNSUPPORTED;
        }
    }
}
