package io.countersign.grader;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.UUID;

/**
 * What is kept of one grading: the verification's {@code grading} member and the row of the table.
 * Everything in it is scrubbed and bounded.
 *
 * @param graderId the grader's own id, fresh for each grading
 * @param outcome how it ended
 * @param pass whether every criterion holds
 * @param cause why it does not pass, as it stands in JSON; null when it passes
 * @param reasons as in the {@link GradingResult}
 * @param tier the tier that graded; null when none could
 * @param provider the configured provider that answered or was tried last; null when none was
 * @param modelAsked null when no provider was asked
 * @param modelAnswered as the response names it; null when there was none
 * @param responseId the provider's own id of the response; null when there was none
 * @param promptSha256 in hex, of system part, one line feed, user part; null when nothing was sent
 * @param tokensIn as the provider counted; null when it did not say
 * @param tokensOut as the provider counted; null when it did not say
 * @param latencyMs from the first attempt to the end, waiting between attempts included
 * @param attempts how many HTTP requests were sent, over all providers
 * @param temperature what was sent; null when nothing was sent or the parameter was left out
 * @param temperatureOmitted whether the model refused the parameter and answered without it
 * @param structured whether the provider was held to the reply's JSON schema
 * @param reply the grader's text; null when there was none
 * @param evidence quotes that were found where the grader said
 * @param notSeen what the grader could not see, at most a hundred entries
 */
public record GradingRow(
        UUID graderId,
        GradingOutcome outcome,
        boolean pass,
        @Nullable String cause,
        List<String> reasons,
        @Nullable Tier tier,
        @Nullable String provider,
        @Nullable String modelAsked,
        @Nullable String modelAnswered,
        @Nullable String responseId,
        @Nullable String promptSha256,
        @Nullable Integer tokensIn,
        @Nullable Integer tokensOut,
        long latencyMs,
        int attempts,
        @Nullable Double temperature,
        boolean temperatureOmitted,
        boolean structured,
        @Nullable String reply,
        List<Quote> evidence,
        List<NotSeen> notSeen) {
    public GradingRow {
        reasons = List.copyOf(reasons);
        evidence = List.copyOf(evidence);
        notSeen = List.copyOf(notSeen);
    }

    /**
     * A quote from the artefact.
     *
     * @param criterion its number, from 1
     * @param ref {@code path} or {@code path:line}
     * @param quote as the grader gave it
     */
    public record Quote(int criterion, String ref, String quote) {}

    /**
     * A part of the artefact that the grader was not shown.
     *
     * @param path the file; null for a part that is none
     * @param why in a few words, for example {@code cut}
     * @param bytes how many are missing; 0 when that says nothing
     */
    public record NotSeen(@Nullable String path, String why, long bytes) {}
}
