package io.countersign.evidence;

import io.countersign.evidence.Draft.BoundaryReport;
import io.countersign.evidence.Draft.Calls;
import io.countersign.evidence.Draft.Claim;
import io.countersign.evidence.Draft.Coverage;
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
        @Nullable ProcessState process =
                shapes.word(
                                node.get("process_state"),
                                pointer + "/process_state",
                                ProcessState.class)
                        .orElse(null);
        @Nullable Calls calls = calls(node, pointer).orElse(null);
        @Nullable Count observer = count(node, pointer, "observer_failures");
        @Nullable Count callback = count(node, pointer, "callback_failures");
        @Nullable List<String> losses =
                shapes.codes(node.get("losses"), pointer + "/losses").orElse(null);
        @Nullable List<String> unsupported =
                shapes.codes(node.get("unsupported"), pointer + "/unsupported").orElse(null);
        Map<Boundary, BoundaryReport> boundaries =
                boundaries(node.get("boundaries"), pointer + "/boundaries");
        if (process == null
                || calls == null
                || observer == null
                || callback == null
                || losses == null
                || unsupported == null
                || boundaries.size() < Boundary.values().length) {
            return Optional.empty();
        }
        @Nullable Boolean closed =
                closed(node.get("observation_closed"), pointer + "/observation_closed", process);
        return Optional.of(
                new Coverage(
                        closed,
                        process,
                        calls,
                        observer,
                        callback,
                        losses,
                        unsupported,
                        boundaries));
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
        boolean issues = shapes.codes(node.get("issues"), pointer + "/issues").isPresent();
        return claim == null || calls == null || !issues
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
