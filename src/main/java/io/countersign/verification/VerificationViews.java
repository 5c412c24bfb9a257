package io.countersign.verification;

import io.countersign.gate.Verdict;
import io.countersign.grader.Gradings;
import io.countersign.kernel.Finding;

import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Predicate;

/**
 * The verification JSON of {@code docs/api.md}; a page of any length costs the same few queries.
 */
@Component
class VerificationViews {
    private final VerificationStore store;
    private final CheckResults checkResults;
    private final Gradings gradings;
    private final List<VerificationMember> members;
    private final JsonMapper json;

    VerificationViews(
            VerificationStore store,
            CheckResults checkResults,
            Gradings gradings,
            List<VerificationMember> members,
            JsonMapper json) {
        this.store = store;
        this.checkResults = checkResults;
        this.gradings = gradings;
        this.members = members;
        this.json = json;
    }

    Map<String, @Nullable Object> view(VerificationRow row) {
        return views(List.of(row)).getFirst();
    }

    List<Map<String, @Nullable Object>> views(List<VerificationRow> rows) {
        Map<VerificationId, List<Object>> checks =
                checkResults.members(ids(rows, VerificationRow::concluded));
        List<VerificationId> changed = ids(rows, row -> row.changeSetSha256() != null);
        Map<VerificationId, List<Object>> files = store.files(changed);
        Map<UUID, ?> graded =
                gradings.byVerification(
                        ids(rows, VerificationRow::graded).stream()
                                .map(VerificationId::value)
                                .toList());
        Map<String, Map<VerificationId, Object>> contributed = new HashMap<>();
        for (VerificationMember member : members) {
            contributed.put(member.name(), member.values(changed));
        }
        List<Map<String, @Nullable Object>> views = new ArrayList<>();
        for (VerificationRow row : rows) {
            Map<String, @Nullable Object> view = head(row);
            view.put("checks", checks.getOrDefault(row.id(), List.of()));
            view.put("grading", graded.get(row.id().value()));
            view.put("setup", tree(row.setup()));
            view.put("changeSet", changeSet(row, files.getOrDefault(row.id(), List.of())));
            view.put("forcingNote", row.forcingNote());
            view.put("receipt", null);
            view.put("attestation", null);
            contributed.forEach((name, values) -> view.put(name, values.get(row.id())));
            view.putAll(tail(row));
            views.add(view);
        }
        return views;
    }

    private static List<VerificationId> ids(
            List<VerificationRow> rows, Predicate<VerificationRow> which) {
        return rows.stream().filter(which).map(VerificationRow::id).toList();
    }

    private Map<String, @Nullable Object> head(VerificationRow row) {
        Map<String, @Nullable Object> view = new LinkedHashMap<>();
        view.put("id", row.id().toString());
        view.put("project", row.project());
        view.put("status", row.status());
        view.put("accepted", row.accepted());
        view.put("dod", dod(row));
        view.put("baseline", tree(row.baseline()));
        view.put("verdict", row.concluded() ? verdict(row) : null);
        return view;
    }

    private Map<String, @Nullable Object> dod(VerificationRow row) {
        Map<String, @Nullable Object> dod = new LinkedHashMap<>();
        JsonNode stored = json.readTree(row.dod());
        stored.properties()
                .forEach(
                        member -> {
                            dod.put(member.getKey(), member.getValue());
                            if (member.getKey().equals("source")) {
                                dod.put("sha256", row.dodSha256());
                            }
                        });
        return dod;
    }

    private Map<String, @Nullable Object> verdict(VerificationRow row) {
        return verdict(
                row.pass(),
                Objects.requireNonNull(row.method()),
                row.skipped(),
                row.cause(),
                Objects.requireNonNull(row.assurance()),
                tree(row.reasons()),
                tree(row.findings()),
                row.evidence());
    }

    /** The {@code verdict} member. */
    static Map<String, @Nullable Object> verdict(Verdict verdict) {
        List<Finding> findings = verdict.findings();
        return verdict(
                verdict.pass(),
                verdict.method().wire(),
                verdict.skipped(),
                verdict.cause() == null ? null : verdict.cause().wire(),
                verdict.assurance().wire(),
                verdict.reasons(),
                findings,
                verdict.evidence());
    }

    private static Map<String, @Nullable Object> verdict(
            boolean pass,
            String method,
            boolean skipped,
            @Nullable String cause,
            String assurance,
            @Nullable Object reasons,
            @Nullable Object findings,
            @Nullable String evidence) {
        Map<String, @Nullable Object> verdict = new LinkedHashMap<>();
        verdict.put("pass", pass);
        verdict.put("method", method);
        verdict.put("skipped", skipped);
        verdict.put("cause", cause);
        verdict.put("assurance", assurance);
        verdict.put("reasons", reasons);
        verdict.put("findings", findings);
        verdict.put("evidence", evidence);
        return verdict;
    }

    private static @Nullable Map<String, @Nullable Object> changeSet(
            VerificationRow row, List<Object> files) {
        if (row.changeSetSha256() == null && row.treeSha256() == null) return null;
        Map<String, @Nullable Object> changeSet = new LinkedHashMap<>();
        changeSet.put("sha256", row.changeSetSha256());
        changeSet.put("treeSha256", row.treeSha256());
        changeSet.put("files", files);
        return changeSet;
    }

    private static Map<String, @Nullable Object> tail(VerificationRow row) {
        Map<String, @Nullable Object> tail = new LinkedHashMap<>();
        tail.put("producer", producer(row));
        tail.put("requestedBy", row.requestedBy());
        tail.put("rerunOf", row.rerunOf());
        tail.put("reruns", row.reruns());
        tail.put("queuedAt", row.queuedAt());
        tail.put("startedAt", row.startedAt());
        tail.put("completedAt", row.completedAt());
        String self = "/v1/verifications/" + row.id();
        tail.put("links", Map.of("self", self, "events", self + "/events"));
        return tail;
    }

    private static Map<String, @Nullable Object> producer(VerificationRow row) {
        Map<String, @Nullable Object> producer = new LinkedHashMap<>();
        producer.put("id", row.producerId());
        producer.put("model", row.producerModel());
        return producer;
    }

    private @Nullable JsonNode tree(@Nullable String text) {
        return text == null ? null : json.readTree(text);
    }
}
