package io.countersign.evidence;

import io.countersign.evidence.Draft.Claim;
import io.countersign.evidence.Draft.Coverage;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Validates runtime evidence v1 (see {@code docs/runtime-evidence.md}): its shape, its rules, and
 * its accounting, which is recomputed. Pure.
 */
public final class EvidenceValidator {
    /** The one schema that is read. */
    public static final String SCHEMA = "opencode-eval-runner/runtime-evidence/v1";

    private static final List<String> MEMBERS =
            List.of("schema", "status", "evidence_eligible", "observations", "coverage");

    private static final int MAX_DEPTH = 500;

    private EvidenceValidator() {}

    /** Validates a document as it was posted, or one that {@link ValidatedEvidence} gave out. */
    public static Validation validate(JsonNode document) {
        Problems problems = new Problems();
        checkNumbers(document, problems);
        @Nullable Draft draft = problems.isEmpty() ? read(document, problems) : null;
        if (draft != null && problems.isEmpty()) Consistency.check(draft, problems);
        if (draft == null || !problems.isEmpty()) return new Validation.Refused(problems.list());
        Map<Boundary, EvidenceStatus> boundaries = new EnumMap<>(Accounting.of(draft));
        JsonNode redacted = Redaction.redact(document);
        List<Observation> observations = observations(redacted.get("observations"), new Problems());
        return new Validation.Valid(
                new ValidatedEvidence(
                        redacted,
                        observations,
                        EvidenceStatus.overall(boundaries.values()),
                        boundaries));
    }

    /** JSON knows no infinity, but {@code 1e999} is read as one. */
    private static void checkNumbers(JsonNode document, Problems problems) {
        List<JsonNode> level = List.of(document);
        for (int depth = 0; !level.isEmpty(); depth++) {
            if (depth > MAX_DEPTH) {
                problems.add("", "is nested more than " + MAX_DEPTH + " deep");
                return;
            }
            List<JsonNode> next = new ArrayList<>();
            for (JsonNode node : level) {
                if (node.isFloatingPointNumber() && !Double.isFinite(node.doubleValue())) {
                    problems.add("", "has a number that is too large");
                }
                node.forEach(next::add);
            }
            level = next;
        }
    }

    private static @Nullable Draft read(JsonNode document, Problems problems) {
        if (!new ShapeReader(problems).isObject(document, "", MEMBERS)) return null;
        JsonNode schema = document.get("schema");
        problems.require(
                schema.isString() && schema.stringValue().equals(SCHEMA),
                "/schema",
                "must be " + SCHEMA);
        CoverageReader coverages = new CoverageReader(problems);
        @Nullable Claim claim = coverages.claim(document, "").orElse(null);
        List<Observation> observations = observations(document.get("observations"), problems);
        @Nullable Coverage coverage =
                coverages.read(document.get("coverage"), "/coverage").orElse(null);
        return claim == null || coverage == null ? null : new Draft(claim, observations, coverage);
    }

    private static List<Observation> observations(JsonNode list, Problems problems) {
        List<Observation> observations = new ArrayList<>();
        if (!list.isArray()) {
            problems.add("/observations", "must be a list");
            return observations;
        }
        ObservationReader reader = new ObservationReader(problems);
        for (int i = 0; i < list.size(); i++) {
            reader.read(list.get(i), "/observations/" + i).ifPresent(observations::add);
        }
        return observations;
    }
}
