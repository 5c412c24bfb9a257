package io.countersign.decision;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * A well-formed verdict of an external judge ({@code verify_gate.verdict.v1}).
 *
 * @param producerId the judge, who produced the verdict
 * @param drafterId who made the artefact
 * @param lenses at least one
 */
record JudgeVerdict(String producerId, String drafterId, List<Lens> lenses) {
    JudgeVerdict {
        lenses = List.copyOf(lenses);
    }

    enum Outcome {
        REFUTED,
        HOLDS,
        PARTIAL
    }

    enum Severity {
        LOW,
        MEDIUM,
        HIGH
    }

    record Lens(String name, Outcome outcome, List<Finding> findings) {
        Lens {
            findings = List.copyOf(findings);
        }
    }

    /**
     * @param ref the file and line it points at; null when missing, blank or no text
     * @param literal the quoted text; null when missing, blank or no text
     */
    record Finding(
            String lens,
            Severity severity,
            @Nullable String claim,
            @Nullable String cheapestFix,
            @Nullable String ref,
            @Nullable String literal) {
        boolean isSubstantiated() {
            return ref != null && literal != null;
        }
    }

    boolean everyLensHolds() {
        return lenses.stream().allMatch(lens -> lens.outcome() == Outcome.HOLDS);
    }
}
