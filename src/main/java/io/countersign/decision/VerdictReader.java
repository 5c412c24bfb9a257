package io.countersign.decision;

import io.countersign.decision.JudgeVerdict.Finding;
import io.countersign.decision.JudgeVerdict.Lens;
import io.countersign.decision.JudgeVerdict.Outcome;
import io.countersign.decision.JudgeVerdict.Severity;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Reads a verdict and lists everything that is wrong with it. */
final class VerdictReader {
    static final String SCHEMA = "verify_gate.verdict.v1";

    private final List<String> problems = new ArrayList<>();

    /** Every problem so far, in document order. */
    List<String> problems() {
        return List.copyOf(problems);
    }

    /** The verdict as far as it could be read; believe it only when there are no problems. */
    JudgeVerdict read(JsonNode verdict) {
        if (!verdict.isObject()) {
            problems.add("the verdict is not an object");
            return new JudgeVerdict("", "", List.of());
        }
        if (!SCHEMA.equals(Documents.text(verdict, "schema"))) {
            problems.add("the verdict's schema is not " + SCHEMA);
        }
        optionalText(verdict, "artifact", "the verdict");
        String producer = id(verdict, "producer_id");
        String drafter = id(verdict, "drafter_id");
        return new JudgeVerdict(producer, drafter, lenses(verdict.get("lenses")));
    }

    private String id(JsonNode verdict, String name) {
        String id = Documents.text(verdict, name);
        if (id == null || !Documents.isId(id)) {
            problems.add("the verdict has no usable " + name);
            return "";
        }
        return id;
    }

    private List<Lens> lenses(@Nullable JsonNode node) {
        if (node == null || !node.isArray() || node.isEmpty()) {
            problems.add("the verdict has no lenses");
            return List.of();
        }
        List<Lens> lenses = new ArrayList<>();
        for (int i = 0; i < node.size(); i++) {
            lenses.add(lens(node.get(i), "lens " + (i + 1)));
        }
        return lenses;
    }

    private Lens lens(JsonNode node, String where) {
        if (!node.isObject()) {
            problems.add(where + " is not an object");
            return new Lens("", Outcome.PARTIAL, List.of());
        }
        String name = Documents.text(node, "lens");
        if (name == null || Documents.isBlank(name)) {
            problems.add(where + " has no name");
            name = where;
        }
        Outcome outcome = constant(Outcome.class, Documents.text(node, "verdict"));
        if (outcome == null) {
            problems.add(where + " has no verdict of refuted, holds or partial");
        }
        optionalText(node, "probe", where);
        String probe = Documents.text(node, "probe");
        if (outcome == Outcome.HOLDS && (probe == null || Documents.isBlank(probe))) {
            problems.add(where + " holds without saying what was probed");
        }
        List<Finding> findings = findings(node, name, where);
        return new Lens(name, outcome == null ? Outcome.PARTIAL : outcome, findings);
    }

    private List<Finding> findings(JsonNode lens, String name, String where) {
        if (Documents.isAbsent(lens, "findings")) {
            return List.of();
        }
        JsonNode node = lens.get("findings");
        if (!node.isArray()) {
            problems.add("the findings of " + where + " are not a list");
            return List.of();
        }
        List<Finding> findings = new ArrayList<>();
        for (int i = 0; i < node.size(); i++) {
            findings.add(finding(node.get(i), name, "finding " + (i + 1) + " of " + where));
        }
        return findings;
    }

    private Finding finding(JsonNode node, String lens, String where) {
        if (!node.isObject()) {
            problems.add(where + " is not an object");
            return new Finding(lens, Severity.LOW, null, null, null, null);
        }
        Severity severity = constant(Severity.class, Documents.text(node, "severity"));
        if (severity == null) {
            problems.add(where + " has no severity of low, medium or high");
            severity = Severity.LOW;
        }
        optionalText(node, "claim", where);
        optionalText(node, "cheapest_fix", where);
        JsonNode evidence = node.get("evidence");
        return new Finding(
                lens,
                severity,
                Documents.text(node, "claim"),
                Documents.text(node, "cheapest_fix"),
                shown(evidence, "ref"),
                shown(evidence, "literal"));
    }

    /** Evidence of the wrong shape is no evidence; it makes no verdict malformed. */
    private static @Nullable String shown(@Nullable JsonNode evidence, String name) {
        String text = Documents.text(evidence, name);
        return text == null || Documents.isBlank(text) ? null : text;
    }

    private void optionalText(JsonNode node, String name, String where) {
        if (!Documents.isAbsent(node, name) && !node.get(name).isString()) {
            problems.add(where + " has a " + name + " that is no text");
        }
    }

    private static <E extends Enum<E>> @Nullable E constant(Class<E> type, @Nullable String wire) {
        return Arrays.stream(type.getEnumConstants())
                .filter(constant -> constant.name().toLowerCase(Locale.ROOT).equals(wire))
                .findFirst()
                .orElse(null);
    }
}
