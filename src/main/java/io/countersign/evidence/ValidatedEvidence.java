package io.countersign.evidence;

import tools.jackson.databind.JsonNode;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * A document that keeps every rule and whose own accounting was found true. Only {@link
 * EvidenceValidator} makes one. Every dynamic value in it is redacted.
 */
public final class ValidatedEvidence {
    private final JsonNode document;
    private final List<Observation> observations;
    private final EvidenceStatus status;
    private final Map<Boundary, EvidenceStatus> boundaries;

    ValidatedEvidence(
            JsonNode document,
            List<Observation> observations,
            EvidenceStatus status,
            Map<Boundary, EvidenceStatus> boundaries) {
        this.document = document;
        this.observations = List.copyOf(observations);
        this.status = status;
        this.boundaries = Map.copyOf(boundaries);
    }

    /**
     * A copy of the redacted document, fit to be stored; it validates again, to the same
     * accounting.
     */
    public JsonNode document() {
        return document.deepCopy();
    }

    /** In the order in which the calls started. */
    public List<Observation> observations() {
        return observations;
    }

    public EvidenceStatus status() {
        return status;
    }

    /** Whether assertions may rest on the document at all. */
    public boolean eligible() {
        return status == EvidenceStatus.COMPLETE;
    }

    /** The recomputed status of each boundary, in the order of {@link Boundary}. */
    public Map<Boundary, EvidenceStatus> boundaries() {
        return new EnumMap<>(boundaries);
    }

    public EvidenceStatus boundary(Boundary boundary) {
        return boundaries.getOrDefault(boundary, EvidenceStatus.INVALID);
    }

    /** Says only what the document is worth: its contents never reach a log this way. */
    @Override
    public String toString() {
        return "ValidatedEvidence[" + status.wire() + ", " + observations.size() + " calls]";
    }
}
