package io.countersign.evidence;

import io.countersign.evidence.Draft.Coverage;
import io.countersign.evidence.Draft.ProcessState;
import io.countersign.evidence.Observation.Outcome;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What the boundaries of a document are worth, recomputed from its observations and coverage; the
 * document's own word counts for nothing.
 */
final class Accounting {
    /** Losses after which nothing in the document can be believed. */
    private static final Set<String> INVALIDATING =
            Set.of(
                    "malformed_capture",
                    "malformed_observation",
                    "wrong_schema",
                    "ambiguous_order",
                    "records_after_capture_end",
                    "invalid_capture_start",
                    "invalid_capture_end",
                    "invalid_record",
                    "count_mismatch",
                    "unterminated_capture");

    private static final List<String> REQUIRED =
            List.of("tool", "actor", "session_id", "message_id", "call_id", "input");

    private final Draft draft;
    private final Coverage coverage;
    private final Set<String> findings = new HashSet<>();

    private Accounting(Draft draft) {
        this.draft = draft;
        this.coverage = draft.coverage();
    }

    static Map<Boundary, EvidenceStatus> of(Draft draft) {
        return new Accounting(draft).boundaries();
    }

    private Map<Boundary, EvidenceStatus> boundaries() {
        Map<Boundary, EvidenceStatus> statuses = new EnumMap<>(Boundary.class);
        statuses.put(Boundary.CODE_MODE_FINALITY, EvidenceStatus.UNSUPPORTED);
        if (!coverage.observes()) {
            Boundary.EXECUTION.forEach(b -> statuses.put(b, EvidenceStatus.UNSUPPORTED));
            return statuses;
        }
        Boundary.EXECUTION.forEach(boundary -> statuses.put(boundary, ownStatus(boundary)));
        EvidenceStatus shared = sharedStatus();
        Boundary.EXECUTION.forEach(b -> statuses.merge(b, shared, EvidenceStatus::worse));
        return statuses;
    }

    private EvidenceStatus ownStatus(Boundary boundary) {
        EvidenceStatus status = EvidenceStatus.COMPLETE;
        for (Observation observation : draft.observations()) {
            if (observation.boundary() == boundary) status = status.worse(statusOf(observation));
        }
        return status;
    }

    private EvidenceStatus statusOf(Observation observation) {
        EvidenceStatus status = EvidenceStatus.COMPLETE;
        if (observation.outcome() == Outcome.MISSING) {
            findings.add("missing_terminal");
            status = EvidenceStatus.INCOMPLETE;
        }
        for (String name : required(observation)) {
            switch (observation.field(name)) {
                case FieldState.Omitted ignored -> {
                    findings.add("required_field_omitted");
                    status = status.worse(EvidenceStatus.INCOMPLETE);
                }
                case FieldState.Unsupported ignored -> {
                    findings.add("required_field_unsupported");
                    status = status.worse(EvidenceStatus.UNSUPPORTED);
                }
                case FieldState.Available ignored -> {}
                case FieldState.Redacted ignored -> {}
            }
        }
        return status;
    }

    private static List<String> required(Observation observation) {
        List<String> required = new ArrayList<>(REQUIRED);
        if (observation.boundary() == Boundary.CODE_MODE_EXECUTION) {
            required.add("parent");
        } else {
            switch (observation.outcome()) {
                case SUCCESS -> required.add("result");
                case ERROR -> required.add("error");
                case MISSING -> {}
            }
        }
        return required;
    }

    /** What weighs on both boundaries at which calls happen. */
    private EvidenceStatus sharedStatus() {
        if (hasDanglingParent()
                || coverage.gaps().losses().stream().anyMatch(INVALIDATING::contains)) {
            return EvidenceStatus.INVALID;
        }
        boolean whole =
                Boolean.TRUE.equals(coverage.closed())
                        && coverage.process() == ProcessState.COMPLETED
                        && coverage.calls().allOf(Count.Known.class)
                        && coverage.failures().isNone()
                        && findings.containsAll(coverage.gaps().losses());
        return whole ? EvidenceStatus.COMPLETE : EvidenceStatus.INCOMPLETE;
    }

    /** Whether an invocation that is named as a parent did not start before its child. */
    private boolean hasDanglingParent() {
        Set<String> started = new HashSet<>();
        for (Observation observation : draft.observations()) {
            String parent = ObservationReader.parentInvocation(observation);
            if (parent != null && !started.contains(parent)) return true;
            started.add(observation.invocationId());
        }
        return false;
    }
}
