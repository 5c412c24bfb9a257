package io.countersign.grader;

import io.countersign.grader.GradingRequest.ShownCheck;
import io.countersign.grader.GradingRow.NotSeen;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * Everything that one grader is shown, scrubbed and cut to its budget.
 *
 * @param criteria one line each, never cut
 * @param deliverable one line; null for none
 * @param cwd one line; empty for the root
 * @param finalReturnText what the producer said
 * @param declaredOutputs one line each
 * @param evidence further evidence as JSON text; null for none
 * @param files with content, the changed ones first
 * @param unchanged names of files whose content is not shown, or of directories with a count
 * @param unchangedFiles how many files those names stand for
 * @param checks what deterministic checks showed
 * @param cuts parts of the artefact that did not fit: a pass on the rest is none
 * @param hints what else was not shown, and decides nothing
 */
record Bundle(
        List<String> criteria,
        @Nullable String deliverable,
        String cwd,
        String finalReturnText,
        List<String> declaredOutputs,
        @Nullable String evidence,
        List<Exhibit> files,
        List<String> unchanged,
        int unchangedFiles,
        List<ShownCheck> checks,
        List<NotSeen> cuts,
        List<NotSeen> hints) {
    Bundle {
        criteria = List.copyOf(criteria);
        declaredOutputs = List.copyOf(declaredOutputs);
        files = List.copyOf(files);
        unchanged = List.copyOf(unchanged);
        checks = List.copyOf(checks);
        cuts = List.copyOf(cuts);
        hints = List.copyOf(hints);
    }

    /**
     * One file.
     *
     * @param path one line
     * @param what its status and form in a few words, for example {@code modified, 120 bytes}
     * @param text its content or the beginning of it; empty when there is none to show
     * @param missing how many bytes of it are not shown
     */
    record Exhibit(String path, String what, String text, long missing) {}
}
