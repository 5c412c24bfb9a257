package io.countersign.evidence;

import io.countersign.evidence.Draft.BoundaryReport;
import io.countersign.evidence.Draft.Calls;
import io.countersign.evidence.Draft.Claim;
import io.countersign.evidence.Draft.Coverage;
import io.countersign.evidence.Draft.Failures;
import io.countersign.evidence.Draft.Gaps;
import io.countersign.evidence.Draft.ProcessState;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads the coverage of a document. */
final class CoverageReader {
    private static final List<String> MEMBERS =
            List.of(
                    "observation_closed",
                    "process_state",
                    "starts",
                    "terminals",
                    "missing_terminals",
                    "observer_failures",
                    "callback_failures",
                    "losses",
                    "unsupported",
                    "boundaries");

    private static final List<String> BOUNDARY_MEMBERS =
            List.of(
                    "status",
                    "evidence_eligible",
                    "starts",
                    "terminals",
                    "missing_terminals",
                    "issues");

    private final Problems problems;
    private final ShapeReader shapes;

    CoverageReader(Problems problems) {
        this.problems = problems;
        this.shapes = new ShapeReader(problems);
    }

    Optional<Coverage> read(JsonNode node, String pointer) {
        if (!shapes.isObject(node, pointer, MEMBERS)) return Optional.empty();
        String processAt = pointer + "/process_state";
        @Nullable ProcessState process =
                shapes.word(node.get("process_state"), processAt, ProcessState.class).orElse(null);
        @Nullable Calls calls = calls(node, pointer).orElse(null);
        @Nullable Failures failures = failures(node, pointer).orElse(null);
        @Nullable Gaps gaps = gaps(node, pointer).orElse(null);
        Map<Boundary, BoundaryReport> boundaries =
                boundaries(node.get("boundaries"), pointer + "/boundaries");
        boolean all = boundaries.size() == Boundary.values().length;
        if (!all || process == null || calls == null || failures == null || gaps == null) {
            return Optional.empty();
        }
        String closedAt = pointer + "/observation_closed";
        @Nullable Boolean closed = closed(node.get("observation_closed"), closedAt, process);
        return Optional.of(new Coverage(closed, process, calls, failures, gaps, boundaries));
    }

    private Optional<Failures> failures(JsonNode node, String pointer) {
        @Nullable Count observer = count(node, pointer, "observer_failures");
        @Nullable Count callback = count(node, pointer, "callback_failures");
        return observer == null || callback == null
                ? Optional.empty()
                : Optional.of(new Failures(observer, callback));
    }

    private Optional<Gaps> gaps(JsonNode node, String pointer) {
        @Nullable List<String> losses = codes(node, pointer, "losses");
        @Nullable List<String> unsupported = codes(node, pointer, "unsupported");
        return losses == null || unsupported == null
                ? Optional.empty()
                : Optional.of(new Gaps(losses, unsupported));
    }

    private @Nullable List<String> codes(JsonNode node, String pointer, String name) {
        return shapes.codes(node.get(name), pointer + "/" + name).orElse(null);
    }

    private @Nullable Boolean closed(JsonNode node, String pointer, ProcessState process) {
        @Nullable FieldState state = shapes.state(node, pointer).orElse(null);
        if (process == ProcessState.UNSUPPORTED) {
            problems.require(
                    state == null || state instanceof FieldState.Unsupported,
                    pointer,
                    "must be unsupported when the host cannot observe");
            return null;
        }
        if (state instanceof FieldState.Available available) {
            return shapes.flag(available.value(), pointer + "/value").orElse(null);
        }
        problems.require(state == null, pointer, "must be available when the host observes");
        return null;
    }

    private @Nullable Count count(JsonNode node, String pointer, String name) {
        return shapes.count(node.get(name), pointer + "/" + name).orElse(null);
    }

    private Optional<Calls> calls(JsonNode node, String pointer) {
        @Nullable Count starts = count(node, pointer, "starts");
        @Nullable Count terminals = count(node, pointer, "terminals");
        @Nullable Count missing = count(node, pointer, "missing_terminals");
        return starts == null || terminals == null || missing == null
                ? Optional.empty()
                : Optional.of(new Calls(starts, terminals, missing));
    }

    private Map<Boundary, BoundaryReport> boundaries(JsonNode node, String pointer) {
        Map<Boundary, BoundaryReport> reports = new EnumMap<>(Boundary.class);
        List<String> names = Arrays.stream(Boundary.values()).map(Boundary::wire).toList();
        if (!shapes.isObject(node, pointer, names)) return reports;
        for (Boundary boundary : Boundary.values()) {
            String name = boundary.wire();
            report(node.get(name), pointer + "/" + name)
                    .ifPresent(report -> reports.put(boundary, report));
        }
        return reports;
    }

    private Optional<BoundaryReport> report(JsonNode node, String pointer) {
        if (!shapes.isObject(node, pointer, BOUNDARY_MEMBERS)) return Optional.empty();
        @Nullable Claim claim = claim(node, pointer).orElse(null);
        @Nullable Calls calls = calls(node, pointer).orElse(null);
        @Nullable List<String> issues = codes(node, pointer, "issues");
        return claim == null || calls == null || issues == null
                ? Optional.empty()
                : Optional.of(new BoundaryReport(claim, calls));
    }

    /** What the document or boundary at {@code node} says of itself. */
    Optional<Claim> claim(JsonNode node, String pointer) {
        @Nullable EvidenceStatus status =
                shapes.word(node.get("status"), pointer + "/status", EvidenceStatus.class)
                        .orElse(null);
        @Nullable Boolean eligible =
                shapes.flag(node.get("evidence_eligible"), pointer + "/evidence_eligible")
                        .orElse(null);
        if (status == null || eligible == null) return Optional.empty();
        problems.require(
                eligible == (status == EvidenceStatus.COMPLETE),
                pointer + "/evidence_eligible",
                "is true exactly when the status is complete");
        return Optional.of(new Claim(status, eligible));
    }
}
