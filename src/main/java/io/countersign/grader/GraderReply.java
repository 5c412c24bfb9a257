package io.countersign.grader;

import io.countersign.grader.GradingRow.Quote;

import java.util.List;

/** What a grader's text may be believed to say. */
sealed interface GraderReply {
    /**
     * The contract's object.
     *
     * @param reasons as written, neither scrubbed nor bounded
     * @param evidence as written; whether the quotes exist is looked up afterwards
     */
    record Verdict(boolean pass, List<String> reasons, List<Quote> evidence)
            implements GraderReply {
        public Verdict {
            reasons = List.copyOf(reasons);
            evidence = List.copyOf(evidence);
        }
    }

    /**
     * Anything else.
     *
     * @param fault what is wrong with it, in a few words
     */
    record Unreadable(String fault) implements GraderReply {}
}
