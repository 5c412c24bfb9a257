package io.countersign.evidence;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Whether an assertion may rest on evidence. */
public final class Assertions {
    private Assertions() {}

    /**
     * The worst of what the document, the boundaries and the fields are worth; only {@code
     * COMPLETE} lets an assertion pass. A document that is not complete never answers complete.
     *
     * @param boundaries names of boundaries that the assertion rests on; an unknown one is
     *     unsupported, a blank one invalid
     * @param fields pairs of an invocation id and the JSON name of a member of its observation; a
     *     redacted or omitted field is incomplete, an unknown one unsupported, anything but a pair
     *     invalid, and an invocation that was not observed is incomplete
     */
    public static EvidenceStatus assertionStatus(
            ValidatedEvidence evidence, List<String> boundaries, List<List<String>> fields) {
        EvidenceStatus status = evidence.status();
        for (String boundary : boundaries) status = status.worse(ofBoundary(evidence, boundary));
        for (List<String> field : fields) status = status.worse(ofField(evidence, field));
        return status;
    }

    private static EvidenceStatus ofBoundary(ValidatedEvidence evidence, String name) {
        if (ShapeReader.isBlank(name)) return EvidenceStatus.INVALID;
        return Arrays.stream(Boundary.values())
                .filter(boundary -> boundary.wire().equals(name))
                .map(evidence::boundary)
                .findFirst()
                .orElse(EvidenceStatus.UNSUPPORTED);
    }

    private static EvidenceStatus ofField(ValidatedEvidence evidence, List<String> field) {
        if (field.size() != 2 || field.stream().anyMatch(ShapeReader::isBlank)) {
            return EvidenceStatus.INVALID;
        }
        Optional<Observation> observation =
                evidence.observations().stream()
                        .filter(o -> o.invocationId().equals(field.getFirst()))
                        .findFirst();
        return observation.map(o -> ofMember(o, field.getLast())).orElse(EvidenceStatus.INCOMPLETE);
    }

    private static EvidenceStatus ofMember(Observation observation, String name) {
        if (ObservationReader.BARE.contains(name)) return EvidenceStatus.COMPLETE;
        if (!ObservationReader.STATES.contains(name)) return EvidenceStatus.UNSUPPORTED;
        return switch (observation.field(name)) {
            case FieldState.Available ignored -> EvidenceStatus.COMPLETE;
            case FieldState.Redacted ignored -> EvidenceStatus.INCOMPLETE;
            case FieldState.Omitted ignored -> EvidenceStatus.INCOMPLETE;
            case FieldState.Unsupported ignored -> EvidenceStatus.UNSUPPORTED;
        };
    }
}
