package io.countersign.decision;

import io.countersign.attestation.AttestationRef;
import io.countersign.decision.Decision.Demoted;
import io.countersign.decision.JudgeVerdict.Finding;
import io.countersign.decision.JudgeVerdict.Severity;
import io.countersign.kernel.Sha256;
import io.countersign.receipt.Receipt;
import io.countersign.scrub.Clean;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

/**
 * A decision as callers see it. HTTP answers 200 whatever the exit code, so that a CLI can end with
 * it.
 *
 * @param blockFindings substantiated refutations of severity high
 * @param demoted findings that count for nothing, and why
 * @param overridden who turned a block into a pass, and why
 * @param receipt issued for a full pass of an eligible judge; it is in its unconsumed state here
 */
record DecisionView(
        UUID id,
        String project,
        int exitCode,
        String decision,
        boolean blocking,
        boolean advisory,
        List<String> reasons,
        List<FindingView> blockFindings,
        List<FindingView> demoted,
        @Nullable String anchorKind,
        Question.@Nullable Override overridden,
        @Nullable UUID reviewId,
        @Nullable Sha256 changeSetSha256,
        @Nullable Receipt receipt,
        @Nullable AttestationRef attestation,
        Instant createdAt) {
    private static final int LINE = 2_000;

    /**
     * @param why why it was demoted; null for one that counts
     */
    record FindingView(
            String lens,
            Severity severity,
            @Nullable String claim,
            @Nullable String cheapestFix,
            @Nullable String ref,
            @Nullable String literal,
            @Nullable String why) {
        static FindingView of(Finding finding, @Nullable String why) {
            return new FindingView(
                    Clean.line(finding.lens(), LINE),
                    finding.severity(),
                    line(finding.claim()),
                    line(finding.cheapestFix()),
                    line(finding.ref()),
                    line(finding.literal()),
                    line(why));
        }
    }

    static List<FindingView> findings(Decision decision) {
        return decision.heard().blocking().stream().map(f -> FindingView.of(f, null)).toList();
    }

    static List<FindingView> demoted(Decision decision) {
        return decision.heard().demoted().stream()
                .map((Demoted d) -> FindingView.of(d.finding(), d.why()))
                .toList();
    }

    static List<String> reasons(Decision decision) {
        return decision.ground().reasons().stream().map(r -> Clean.line(r, LINE)).toList();
    }

    private static @Nullable String line(@Nullable String text) {
        return text == null ? null : Clean.line(text, LINE);
    }
}
