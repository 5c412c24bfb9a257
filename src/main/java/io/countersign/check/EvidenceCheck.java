package io.countersign.check;

import io.countersign.dod.Check;
import io.countersign.evidence.Assertions;
import io.countersign.evidence.Boundary;
import io.countersign.evidence.EvidenceStatus;
import io.countersign.evidence.FieldState;
import io.countersign.evidence.Observation;
import io.countersign.evidence.ValidatedEvidence;
import io.countersign.scrub.Scrubber;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Judges the checks that read runtime evidence. Each answers why it does not hold; empty when it
 * holds. Only complete evidence carries an assertion, and what was redacted carries none.
 */
final class EvidenceCheck {
    private static final String NONE = "no runtime evidence came with the verification";

    private EvidenceCheck() {}

    static Optional<String> unmet(
            Check.EvidenceComplete check, @Nullable ValidatedEvidence evidence) {
        if (evidence == null) return Optional.of(NONE);
        List<String> boundaries = check.boundary() == null ? List.of() : List.of(check.boundary());
        return ineligible(evidence, boundaries);
    }

    /**
     * Without a boundary a call counts at each one that is complete; the others neither help nor
     * spoil.
     */
    static Optional<String> unmet(Check.ToolCalled check, @Nullable ValidatedEvidence evidence) {
        if (evidence == null) return Optional.of(NONE);
        List<String> boundaries =
                check.boundary() == null ? complete(evidence) : List.of(check.boundary());
        Optional<String> ineligible = ineligible(evidence, boundaries);
        if (ineligible.isPresent()) return ineligible;
        CallPattern pattern = new CallPattern(check.tool(), check.outcome(), check.input());
        Tally tally = Tally.of(evidence, boundaries, pattern);
        int min = check.min() == null ? 1 : check.min();
        if (tally.certain() >= min) return Optional.empty();
        return Optional.of(
                pattern.shown()
                        + " was called "
                        + tally.certain()
                        + " times, "
                        + min
                        + " needed"
                        + (tally.hidden() == 0
                                ? ""
                                : "; "
                                        + tally.hidden()
                                        + " calls cannot be told, they are redacted")
                        + others(evidence, boundaries));
    }

    /** Without a boundary both boundaries at which calls happen have to be complete. */
    static Optional<String> unmet(Check.ToolNotCalled check, @Nullable ValidatedEvidence evidence) {
        if (evidence == null) return Optional.of(NONE);
        List<String> boundaries =
                check.boundary() == null
                        ? Boundary.EXECUTION.stream().map(Boundary::wire).toList()
                        : List.of(check.boundary());
        Optional<String> ineligible = ineligible(evidence, boundaries);
        if (ineligible.isPresent()) return ineligible;
        CallPattern pattern = new CallPattern(check.tool(), check.outcome(), check.input());
        Tally tally = Tally.of(evidence, boundaries, pattern);
        if (tally.certain() > 0) {
            return Optional.of(pattern.shown() + " was called " + tally.certain() + " times");
        }
        return tally.hidden() == 0
                ? Optional.empty()
                : Optional.of(
                        pattern.shown()
                                + " may have been called: "
                                + tally.hidden()
                                + " calls cannot be told, they are redacted");
    }

    private static List<String> complete(ValidatedEvidence evidence) {
        return Boundary.EXECUTION.stream()
                .filter(boundary -> evidence.boundary(boundary) == EvidenceStatus.COMPLETE)
                .map(Boundary::wire)
                .toList();
    }

    private static Optional<String> ineligible(
            ValidatedEvidence evidence, List<String> boundaries) {
        EvidenceStatus status = Assertions.assertionStatus(evidence, boundaries, List.of());
        if (status == EvidenceStatus.COMPLETE) return Optional.empty();
        List<String> unfit = new ArrayList<>();
        for (Boundary boundary : Boundary.values()) {
            EvidenceStatus own = evidence.boundary(boundary);
            boolean asked =
                    boundaries.contains(boundary.wire())
                            || boundaries.isEmpty() && Boundary.EXECUTION.contains(boundary);
            if (asked && own != EvidenceStatus.COMPLETE) {
                unfit.add("boundary " + boundary.wire() + " is " + own.wire());
            }
        }
        if (unfit.isEmpty()) unfit.add("the document is " + evidence.status().wire());
        return Optional.of(
                "runtime evidence is " + status.wire() + ": " + String.join(", ", unfit));
    }

    /** Names the boundaries that did not count, for a reader who misses a call. */
    private static String others(ValidatedEvidence evidence, List<String> counted) {
        List<String> others = new ArrayList<>();
        for (Boundary boundary : Boundary.EXECUTION) {
            EvidenceStatus status = evidence.boundary(boundary);
            if (status != EvidenceStatus.COMPLETE && !counted.contains(boundary.wire())) {
                others.add("; boundary " + boundary.wire() + " is " + status.wire());
            }
        }
        return String.join("", others);
    }

    /** How many calls fit for certain, and of how many it cannot be told. */
    private record Tally(int certain, int hidden) {
        static Tally of(ValidatedEvidence evidence, List<String> boundaries, CallPattern pattern) {
            int certain = 0;
            int hidden = 0;
            for (Observation call : evidence.observations()) {
                if (!boundaries.contains(call.boundary().wire())) continue;
                switch (pattern.fits(call)) {
                    case YES -> certain++;
                    case HIDDEN -> hidden++;
                    case NO -> {}
                }
            }
            return new Tally(certain, hidden);
        }
    }

    private enum Fit {
        YES,
        NO,
        /** What would decide it is redacted or was not recorded. */
        HIDDEN
    }

    private record CallPattern(String tool, @Nullable String outcome, @Nullable String input) {
        String shown() {
            return "tool "
                    + Scrubber.scrub(Shown.word(tool))
                    + (outcome == null ? "" : " with outcome " + outcome)
                    + (input == null ? "" : " with this input");
        }

        Fit fits(Observation call) {
            if (outcome != null && !outcome.equals(call.outcome().wire())) return Fit.NO;
            Fit byTool = fits(call.field("tool"), tool, true);
            if (byTool == Fit.NO || input == null) return byTool;
            Fit byInput = fits(call.field("input"), input, false);
            return byInput == Fit.YES ? byTool : byInput;
        }

        private static Fit fits(FieldState field, String wanted, boolean whole) {
            if (!(field instanceof FieldState.Available available)) return Fit.HIDDEN;
            boolean found = whole ? field.is(wanted) : occurs(wanted, available.value());
            if (found) return Fit.YES;
            boolean redacted = available.value().toString().contains(Scrubber.MARKER);
            return redacted ? Fit.HIDDEN : Fit.NO;
        }

        /** In one of the texts of an input, in a command line given as words, or in its JSON. */
        private static boolean occurs(String wanted, JsonNode input) {
            return input.toString().contains(wanted) || occursInTexts(wanted, input);
        }

        private static boolean occursInTexts(String wanted, JsonNode input) {
            if (input.isString()) return input.stringValue().contains(wanted);
            StringBuilder words = new StringBuilder();
            for (JsonNode child : input) {
                if (occursInTexts(wanted, child)) return true;
                if (child.isString()) words.append(child.stringValue()).append(' ');
            }
            return input.isArray() && words.toString().strip().contains(wanted);
        }
    }
}
