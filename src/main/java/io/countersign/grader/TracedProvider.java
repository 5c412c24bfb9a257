package io.countersign.grader;

import io.countersign.grader.provider.Provider;
import io.countersign.grader.provider.Question;
import io.countersign.grader.provider.Reply;
import io.countersign.kernel.Spans;

import java.time.Duration;
import java.time.Instant;

/** A span for each question, whatever number of HTTP requests it takes. */
record TracedProvider(String name, Provider provider, Spans spans) implements Provider {
    @Override
    public Reply ask(Question question, Duration turn, Instant deadline)
            throws InterruptedException {
        try (Spans.Open span = spans.open("grader " + name)) {
            span.tag("countersign.grader.provider", name)
                    .tag("countersign.grader.model", question.model());
            Reply reply = provider.ask(question, turn, deadline);
            span.tag("countersign.grader.requests", Integer.toString(reply.requests()))
                    .tag(Spans.OUTCOME, outcome(reply));
            return reply;
        }
    }

    private static String outcome(Reply reply) {
        return switch (reply) {
            case Reply.Answered answered -> "answered";
            case Reply.Unanswered unanswered -> unanswered.timedOut() ? "timed_out" : "unavailable";
        };
    }
}
