package io.countersign.grader;

import io.countersign.grader.GradingRow.NotSeen;
import io.countersign.grader.GradingRow.Quote;
import io.countersign.kernel.Cause;
import io.countersign.kernel.Finding;
import io.countersign.scrub.Clean;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What a grading came to.
 *
 * @param evidence the quotes that were found
 */
record Conclusion(
        GradingOutcome outcome, @Nullable Cause cause, List<String> reasons, List<Quote> evidence) {
    private static final String UNREADABLE = "could not parse grader verdict; defaulting to FAIL";

    private static final int MAX_REASONS = 100;
    private static final int MAX_REASON = 1_000;
    private static final int MAX_EXCERPT = 300;
    private static final int MAX_NAMED = 5;
    private static final int MAX_FINDINGS = 20;

    Conclusion {
        reasons = List.copyOf(reasons);
        evidence = List.copyOf(evidence);
    }

    /** A grading that brought no verdict. */
    static Conclusion without(GradingOutcome outcome, Cause cause, String reason) {
        return new Conclusion(outcome, cause, List.of(Clean.line(reason, MAX_REASON)), List.of());
    }

    static Conclusion unreadable(String fault, String reply) {
        String excerpt = reply.isBlank() ? "" : ": " + Clean.line(reply, MAX_EXCERPT);
        return without(
                GradingOutcome.UNREADABLE,
                Cause.INFRASTRUCTURE,
                UNREADABLE + " (" + fault + ")" + excerpt);
    }

    /** A verdict's evidence, looked up. */
    record LookedUp(List<Quote> found, List<Quote> notFound) {
        LookedUp {
            found = List.copyOf(found);
            notFound = List.copyOf(notFound);
        }
    }

    /**
     * What a verdict that could be read is worth. Only a pass is doubted: a grader may refuse for
     * reasons of its own.
     */
    static Conclusion of(
            GraderReply.Verdict verdict, LookedUp quotes, Bundle bundle, EvidenceRule rule) {
        List<Quote> evidence = quotes.found().stream().map(Conclusion::bounded).toList();
        if (!verdict.pass()) {
            return new Conclusion(
                    GradingOutcome.FAILED,
                    Cause.WORK,
                    reasons(verdict, "the grader refused without a reason"),
                    evidence);
        }
        if (!bundle.cuts().isEmpty()) {
            return new Conclusion(
                    GradingOutcome.TRUNCATED, Cause.WORK, List.of(truncated(bundle)), evidence);
        }
        if (!quotes.notFound().isEmpty()) {
            return new Conclusion(
                    GradingOutcome.EVIDENCE_NOT_FOUND,
                    Cause.INFRASTRUCTURE,
                    List.of(notFound(quotes.notFound())),
                    evidence);
        }
        List<Integer> bare = withoutQuote(bundle.criteria().size(), quotes.found());
        if (rule == EvidenceRule.REQUIRED && !bare.isEmpty()) {
            return new Conclusion(
                    GradingOutcome.EVIDENCE_MISSING,
                    Cause.INFRASTRUCTURE,
                    List.of("the grader cited no evidence for criteria " + bare),
                    evidence);
        }
        return new Conclusion(
                GradingOutcome.PASSED,
                null,
                reasons(verdict, "all criteria hold, says the grader without a reason"),
                evidence);
    }

    boolean pass() {
        return outcome == GradingOutcome.PASSED;
    }

    /** The result for the gate, which warns of everything that was not shown. */
    GradingResult result(List<NotSeen> notSeen) {
        List<Finding> findings =
                notSeen.stream()
                        .limit(MAX_FINDINGS)
                        .map(
                                part ->
                                        new Finding(
                                                "evidence-truncated",
                                                part.path(),
                                                "not shown to the grader: " + describe(part)))
                        .toList();
        return new GradingResult(pass(), reasons, cause, findings);
    }

    private static List<String> reasons(GraderReply.Verdict verdict, String none) {
        List<String> reasons = new ArrayList<>();
        for (String reason : verdict.reasons()) {
            String line = Clean.line(reason, MAX_REASON).strip();
            if (line.isEmpty()) continue;
            if (reasons.size() == MAX_REASONS) {
                reasons.add((verdict.reasons().size() - MAX_REASONS) + " more reasons left out");
                break;
            }
            reasons.add(line);
        }
        return reasons.isEmpty() ? List.of(none) : reasons;
    }

    private static String truncated(Bundle bundle) {
        String named =
                bundle.cuts().stream()
                        .limit(MAX_NAMED)
                        .map(Conclusion::name)
                        .collect(Collectors.joining(", "));
        int more = bundle.cuts().size() - MAX_NAMED;
        return Clean.line(
                "evidence truncated: the grader passed what it was shown, but not shown were "
                        + named
                        + (more > 0 ? " and " + more + " more" : ""),
                4 * MAX_REASON);
    }

    private static String name(NotSeen part) {
        return part.path() == null ? describe(part) : part.path() + " (" + describe(part) + ")";
    }

    private static String describe(NotSeen part) {
        return part.bytes() > 0 ? part.why() + ", " + part.bytes() + " bytes" : part.why();
    }

    private static String notFound(List<Quote> quotes) {
        String named =
                quotes.stream()
                        .limit(MAX_NAMED)
                        .map(quote -> quote.ref() + " \"" + Clean.line(quote.quote(), 120) + "\"")
                        .collect(Collectors.joining(", "));
        return Clean.line("cited evidence not found: " + named, MAX_REASON);
    }

    private static List<Integer> withoutQuote(int criteria, List<Quote> found) {
        Set<Integer> quoted = found.stream().map(Quote::criterion).collect(Collectors.toSet());
        List<Integer> bare = new ArrayList<>();
        for (int i = 1; i <= criteria; i++) {
            if (!quoted.contains(i)) bare.add(i);
        }
        return bare;
    }

    private static Quote bounded(Quote quote) {
        return new Quote(
                quote.criterion(), Clean.line(quote.ref(), 600), Clean.line(quote.quote(), 500));
    }
}
