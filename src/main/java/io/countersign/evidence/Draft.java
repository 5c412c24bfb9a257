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
            Count observerFailures,
            Count callbackFailures,
            List<String> losses,
            List<String> unsupported,
            Map<Boundary, BoundaryReport> boundaries) {
        /** Whether the host can observe anything at all. */
        boolean observes() {
            return process != ProcessState.UNSUPPORTED;
        }
    }
}
