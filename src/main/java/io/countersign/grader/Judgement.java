package io.countersign.grader;

import io.countersign.grader.GradingRow.Quote;
import io.countersign.grader.provider.Answer;
import io.countersign.kernel.Cause;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What one answer is worth: from whom it is, what it says, and whether that is so. */
record Judgement(
        GradingRequest request,
        Bundle bundle,
        Marks marks,
        ModelChoice choice,
        Map<String, Set<String>> makers) {
    /** Looking up more would let one reply keep a worker busy. */
    private static final int MAX_QUOTES = 500;

    Conclusion of(Answer answer) throws IOException {
        String model = answer.model();
        if (model == null || !choice.answeredBy(model)) {
            return Conclusion.without(
                    GradingOutcome.OTHER_MODEL,
                    Cause.INFRASTRUCTURE,
                    "the grader's provider answered with another model: asked "
                            + choice.model()
                            + ", answered "
                            + (model == null ? "without a name" : model));
        }
        String dependence =
                Candidates.dependence(
                        request.policy().independence(),
                        request.producer().model(),
                        ModelIdentity.of(choice.provider() + "/" + model)
                                .with(makers.getOrDefault(choice.provider(), Set.of())));
        if (dependence != null) {
            return Conclusion.without(
                    GradingOutcome.NOT_INDEPENDENT,
                    Cause.INFRASTRUCTURE,
                    "grader is not independent of the producer: " + dependence);
        }
        if (answer.incomplete() != null) {
            return Conclusion.unreadable("it stopped early: " + answer.incomplete(), answer.text());
        }
        return switch (ReplyReader.read(answer.text())) {
            case GraderReply.Unreadable unreadable ->
                    Conclusion.unreadable(unreadable.fault(), answer.text());
            case GraderReply.Verdict verdict ->
                    Conclusion.of(
                            verdict,
                            lookUp(verdict.evidence()),
                            bundle,
                            request.policy().evidence());
        };
    }

    private Conclusion.LookedUp lookUp(List<Quote> quotes) throws IOException {
        QuoteLookup lookup =
                new QuoteLookup(request.artefact().files(), request.artefact().cwd(), marks);
        List<Quote> found = new ArrayList<>();
        List<Quote> notFound = new ArrayList<>();
        for (int i = 0; i < quotes.size(); i++) {
            boolean finds = i < MAX_QUOTES && lookup.finds(quotes.get(i));
            (finds ? found : notFound).add(quotes.get(i));
        }
        return new Conclusion.LookedUp(found, notFound);
    }
}
