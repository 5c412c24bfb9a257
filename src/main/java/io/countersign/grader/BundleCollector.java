package io.countersign.grader;

import io.countersign.artefact.ChangeSet;
import io.countersign.grader.Bundle.Exhibit;
import io.countersign.grader.FrozenFiles.Entry;
import io.countersign.grader.GradingRequest.Artefact;
import io.countersign.grader.GradingRequest.ShownCheck;
import io.countersign.grader.GradingRow.NotSeen;
import io.countersign.scrub.Bounded;
import io.countersign.scrub.Clean;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads what the grader will be shown. Everything is scrubbed first and cut afterwards, to a budget
 * in bytes of UTF-8.
 */
final class BundleCollector {
    static final int MAX_LINE = 512;
    private static final int MAX_CRITERION = 1 << 16;
    private static final int MAX_OUTPUTS = 200;
    private static final int MAX_CHECK_OUTPUT = 4_000;
    private static final int LEAST_CHECK_OUTPUT = 200;

    private final GradingRequest request;
    private final int budget;
    private final List<NotSeen> cuts = new ArrayList<>();
    private final List<NotSeen> hints = new ArrayList<>();

    private BundleCollector(GradingRequest request, int budget) {
        this.request = request;
        this.budget = budget;
    }

    /**
     * @param budget of the artefact's part, in bytes
     * @throws IOException when the workspace cannot be read
     */
    static Bundle collect(GradingRequest request, int budget) throws IOException {
        return new BundleCollector(request, budget).collect();
    }

    private Bundle collect() throws IOException {
        Artefact artefact = request.artefact();
        List<String> criteria =
                request.criteria().stream().map(BundleCollector::criterion).toList();
        String said =
                cut("the final return text", ShownText.of(artefact.finalReturnText()), budget / 4);
        List<String> outputs = outputs(artefact.declaredOutputs());
        String evidence = evidence(artefact.evidence());
        int left = budget - ShownText.bytes(said) - (evidence == null ? 0 : bytes(evidence));
        for (String output : outputs) left -= bytes(output) + 1;
        int names = Math.min(Math.max(left, 0) / 4, budget / 8);
        FileExhibits exhibits = new FileExhibits(artefact.files(), left - names, cuts, hints);
        List<Entry> scope = scope();
        List<Exhibit> files = files(exhibits, scope);
        List<String> unchanged =
                scope.stream()
                        .map(Entry::path)
                        .filter(path -> !exhibits.taken().contains(path))
                        .map(path -> Clean.line(path, MAX_LINE))
                        .toList();
        NameList list = NameList.of(unchanged, names);
        if (list.folded()) {
            hints.add(new NotSeen(null, "names of unchanged files folded into directories", 0));
        }
        return new Bundle(
                criteria,
                request.deliverable() == null ? null : criterion(request.deliverable()),
                Clean.line(artefact.cwd(), MAX_LINE),
                said,
                outputs,
                evidence,
                files,
                list.lines(),
                unchanged.size(),
                checks(),
                cuts,
                hints);
    }

    private List<Exhibit> files(FileExhibits exhibits, List<Entry> scope) throws IOException {
        if (request.artefact().changeSet() instanceof ChangeSet.Known known) {
            List<Exhibit> files = new ArrayList<>(exhibits.changed(known.files()));
            Mentions mentions = new Mentions(request.criteria(), request.artefact().cwd());
            List<Entry> mentioned =
                    scope.stream()
                            .filter(entry -> !exhibits.taken().contains(entry.path()))
                            .filter(entry -> mentions.of(entry.path()))
                            .toList();
            files.addAll(exhibits.others(mentioned, "not changed"));
            return files;
        }
        return exhibits.others(scope, "nobody said whether it changed");
    }

    /** What lies under the working directory; changed files count wherever they are. */
    private List<Entry> scope() throws IOException {
        String cwd = request.artefact().cwd();
        List<Entry> all = request.artefact().files().list();
        if (cwd.isEmpty()) return all;
        return all.stream().filter(entry -> entry.path().startsWith(cwd + "/")).toList();
    }

    private String cut(String what, String text, int max) {
        String kept = ShownText.cut(text, max);
        int missing = bytes(text) - bytes(kept);
        if (missing > 0) cuts.add(new NotSeen(null, what + " cut", missing));
        return kept;
    }

    private List<String> outputs(List<String> declared) {
        if (declared.size() > MAX_OUTPUTS) {
            cuts.add(new NotSeen(null, "declared outputs after " + MAX_OUTPUTS + " left out", 0));
        }
        return declared.stream()
                .limit(MAX_OUTPUTS)
                .map(output -> Clean.line(output, MAX_LINE))
                .toList();
    }

    private @Nullable String evidence(@Nullable JsonNode evidence) {
        if (evidence == null) return null;
        return cut("the further evidence", ShownText.of(evidence.toPrettyString()), budget / 4);
    }

    private List<ShownCheck> checks() {
        int each = Math.min(budget / 8 / Math.max(request.checks().size(), 1), MAX_CHECK_OUTPUT);
        return request.checks().stream().map(check -> check(check, each)).toList();
    }

    /** A check's output is an end of it by nature; cutting it takes nothing of the artefact. */
    private static ShownCheck check(ShownCheck check, int maxOutput) {
        String command = check.command();
        String reason = check.reason();
        String output = maxOutput < LEAST_CHECK_OUTPUT ? null : check.output();
        return new ShownCheck(
                Clean.line(check.kind(), MAX_LINE),
                command == null ? null : Clean.line(command, MAX_LINE),
                Clean.line(check.outcome(), MAX_LINE),
                reason == null ? null : Clean.line(reason, MAX_LINE),
                output == null ? null : ShownText.of(Bounded.tail(output, maxOutput)));
    }

    private static String criterion(String text) {
        return Clean.line(text, MAX_CRITERION);
    }

    private static int bytes(String text) {
        return ShownText.bytes(text);
    }
}
