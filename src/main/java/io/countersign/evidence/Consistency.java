package io.countersign.evidence;

import io.countersign.evidence.Draft.BoundaryReport;
import io.countersign.evidence.Draft.Calls;
import io.countersign.evidence.Draft.Claim;
import io.countersign.evidence.Draft.Coverage;
import io.countersign.evidence.Observation.Outcome;

import org.jspecify.annotations.Nullable;

import java.math.BigInteger;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The rules that hold between the parts of a document. */
final class Consistency {
    private static final String COVERAGE = "/coverage";
    private static final String BOUNDARIES = COVERAGE + "/boundaries/";

    private final Draft draft;
    private final Coverage coverage;
    private final Problems problems;

    private Consistency(Draft draft, Problems problems) {
        this.draft = draft;
        this.coverage = draft.coverage();
        this.problems = problems;
    }

    static void check(Draft draft, Problems problems) {
        Consistency consistency = new Consistency(draft, problems);
        consistency.checkOrder();
        if (draft.coverage().observes()) {
            consistency.checkObservingTransport();
        } else {
            consistency.checkBlindTransport();
        }
        consistency.checkClaims();
    }

    private void checkOrder() {
        Set<String> ids = new HashSet<>();
        Set<BigInteger> sequences = new HashSet<>();
        @Nullable BigInteger last = null;
        for (int i = 0; i < draft.observations().size(); i++) {
            Observation observation = draft.observations().get(i);
            String pointer = "/observations/" + i;
            BigInteger start = observation.startSequence();
            problems.require(
                    ids.add(observation.invocationId()),
                    pointer + "/invocation_id",
                    "is the id of an earlier observation");
            problems.require(
                    last == null || start.compareTo(last) > 0,
                    pointer + "/start_sequence",
                    "is not after the observation before it");
            problems.require(
                    sequences.add(start), pointer + "/start_sequence", "is a sequence in use");
            if (observation.field("terminal_sequence") instanceof FieldState.Available end) {
                problems.require(
                        sequences.add(end.value().bigIntegerValue()),
                        pointer + "/terminal_sequence",
                        "is a sequence in use");
            }
            last = start;
        }
    }

    private void checkObservingTransport() {
        problems.require(
                coverage.gaps().unsupported().contains(ObservationReader.FINALITY),
                COVERAGE + "/unsupported",
                "must contain " + ObservationReader.FINALITY);
        boolean known = coverage.calls().allOf(Count.Known.class);
        if (!known && !coverage.calls().allOf(Count.Omitted.class)) {
            problems.add(COVERAGE, "the three counts must be all available or all omitted");
            return;
        }
        if (!known) checkUnknownCounts();
        Class<? extends Count> state = known ? Count.Known.class : Count.Omitted.class;
        checkCounts(coverage.calls(), state, draft.observations(), COVERAGE);
        coverage.boundaries()
                .forEach(
                        (boundary, report) -> {
                            String pointer = BOUNDARIES + boundary.wire();
                            if (boundary == Boundary.CODE_MODE_FINALITY) {
                                demandUnsupportedCounts(report.calls(), pointer);
                            } else {
                                checkCounts(report.calls(), state, at(boundary), pointer);
                            }
                        });
    }

    private void checkUnknownCounts() {
        problems.require(
                !coverage.gaps().losses().isEmpty(),
                COVERAGE + "/losses",
                "unknown counts need a loss");
    }

    private List<Observation> at(Boundary boundary) {
        return draft.observations().stream().filter(o -> o.boundary() == boundary).toList();
    }

    private void checkCounts(
            Calls calls,
            Class<? extends Count> state,
            List<Observation> observations,
            String pointer) {
        if (!calls.allOf(state)) {
            problems.add(pointer, "its counts must have the state of the totals");
            return;
        }
        if (state != Count.Known.class) return;
        long missing = observations.stream().filter(o -> o.outcome() == Outcome.MISSING).count();
        demand(calls.starts(), observations.size(), pointer + "/starts");
        demand(calls.terminals(), observations.size() - missing, pointer + "/terminals");
        demand(calls.missing(), missing, pointer + "/missing_terminals");
    }

    private void demand(Count count, long expected, String pointer) {
        problems.require(
                count instanceof Count.Known known && known.is(expected),
                pointer,
                "must be " + expected + ", as the observations show");
    }

    private void demandUnsupportedCounts(Calls calls, String pointer) {
        problems.require(
                calls.allOf(Count.Unsupported.class), pointer, "its counts must be unsupported");
    }

    /** A host that cannot observe may claim nothing, or it could smuggle a boundary in. */
    private void checkBlindTransport() {
        problems.require(
                draft.observations().isEmpty(),
                "/observations",
                "must be empty when the host cannot observe");
        problems.require(
                !coverage.gaps().unsupported().isEmpty(),
                COVERAGE + "/unsupported",
                "must say why the host cannot observe");
        problems.require(
                coverage.gaps().losses().isEmpty(),
                COVERAGE + "/losses",
                "nothing can be lost when the host cannot observe");
        demandUnsupportedCounts(coverage.calls(), COVERAGE);
        problems.require(
                coverage.failures().observer() instanceof Count.Unsupported
                        && coverage.failures().callback() instanceof Count.Unsupported,
                COVERAGE,
                "its failure counts must be unsupported when the host cannot observe");
        coverage.boundaries()
                .forEach(
                        (b, report) ->
                                demandUnsupportedCounts(report.calls(), BOUNDARIES + b.wire()));
    }

    /** The document says of itself and of each boundary exactly what the accounting says. */
    private void checkClaims() {
        Map<Boundary, EvidenceStatus> accounting = Accounting.of(draft);
        for (Map.Entry<Boundary, BoundaryReport> entry : coverage.boundaries().entrySet()) {
            EvidenceStatus actual = accounting.getOrDefault(entry.getKey(), EvidenceStatus.INVALID);
            checkClaim(entry.getValue().claim(), actual, BOUNDARIES + entry.getKey().wire());
        }
        checkClaim(draft.claim(), EvidenceStatus.overall(accounting.values()), "");
    }

    private void checkClaim(Claim claim, EvidenceStatus actual, String pointer) {
        problems.require(
                claim.status() == actual,
                pointer + "/status",
                "says " + claim.status().wire() + ", the accounting says " + actual.wire());
    }
}
