package io.countersign.dod;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A Definition of Done as JSON: for answers, for the store, and for its digest. */
public final class DodJson {
    private DodJson() {}

    /** The members in the order of the HTTP contract, as maps, lists, text and numbers. */
    public static Map<String, @Nullable Object> members(Dod dod) {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        members.put("kind", dod.kind().wire());
        members.put("source", dod.source().wire());
        members.put("deliverable", dod.deliverable());
        members.put("checks", checks(dod.checks()));
        members.put("criteria", dod.criteria());
        members.put("diagnostics", diagnostics(dod.diagnostics()));
        return members;
    }

    /**
     * What the digest of a DoD covers: kind, deliverable, checks without index and line, criteria.
     */
    public static Map<String, @Nullable Object> digestMembers(Dod dod) {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        members.put("kind", dod.kind().wire());
        members.put("deliverable", dod.deliverable());
        members.put("checks", dod.checks().stream().map(CheckJson::members).toList());
        members.put("criteria", dod.criteria());
        return members;
    }

    /** Diagnostics as they stand in answers. */
    public static List<Map<String, Object>> diagnostics(List<Diagnostic> diagnostics) {
        return diagnostics.stream().map(DodJson::members).toList();
    }

    /**
     * Reads back what {@link #members} wrote, without loss; the kind is derived again and further
     * members are ignored.
     *
     * @throws IllegalArgumentException it is nothing that {@link #members} wrote
     */
    public static Dod read(JsonNode dod) {
        List<Check> checks = new ArrayList<>();
        dod.path("checks").forEach(check -> checks.add(CheckJson.read(check)));
        List<String> criteria = new ArrayList<>();
        dod.path("criteria").forEach(criterion -> criteria.add(criterion.asString()));
        List<Diagnostic> diagnostics = new ArrayList<>();
        dod.path("diagnostics").forEach(node -> diagnostics.add(diagnostic(node)));
        JsonNode deliverable = dod.path("deliverable");
        return new Dod(
                Dod.Source.valueOf(upper(dod, "source")),
                deliverable.isString() ? deliverable.asString() : null,
                checks,
                criteria,
                diagnostics);
    }

    private static List<Map<String, Object>> checks(List<Check> checks) {
        List<Map<String, Object>> all = new ArrayList<>();
        for (Check check : checks) {
            Map<String, Object> members = new LinkedHashMap<>();
            members.put("index", all.size());
            members.putAll(CheckJson.members(check));
            members.put("line", check.line());
            all.add(members);
        }
        return all;
    }

    private static Map<String, Object> members(Diagnostic diagnostic) {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("severity", diagnostic.severity().wire());
        members.put("line", diagnostic.line());
        members.put("column", diagnostic.column());
        members.put("code", diagnostic.code());
        members.put("message", diagnostic.message());
        return members;
    }

    private static Diagnostic diagnostic(JsonNode node) {
        return new Diagnostic(
                Diagnostic.Severity.valueOf(upper(node, "severity")),
                node.path("line").intValue(),
                node.path("column").intValue(),
                node.path("code").asString(),
                node.path("message").asString());
    }

    private static String upper(JsonNode node, String member) {
        return node.path(member).asString("").toUpperCase(Locale.ROOT);
    }
}
