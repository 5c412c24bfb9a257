package io.countersign.grader;

import io.countersign.grader.provider.Provider;
import io.countersign.grader.provider.Question;
import io.countersign.grader.provider.Reply;
import io.countersign.kernel.Cause;
import io.countersign.kernel.Ids;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/** The grader of the service: one fresh exchange with one model that is not the producer. */
final class IndependentGrader implements Grader {
    private final Map<String, Set<String>> makers;
    private final Function<String, Provider> providers;
    private final int budget;
    private final Ids ids;
    private final Supplier<String> nonces;
    private final InstantSource clock;

    /**
     * @param makers the providers that can be asked, with who stands behind each
     * @param providers finds each of them
     * @param budget of the artefact in a prompt, in bytes
     * @param nonces a fresh random one for each call
     */
    IndependentGrader(
            Map<String, Set<String>> makers,
            Function<String, Provider> providers,
            int budget,
            Ids ids,
            Supplier<String> nonces,
            InstantSource clock) {
        this.makers = Map.copyOf(makers);
        this.providers = providers;
        this.budget = budget;
        this.ids = ids;
        this.nonces = nonces;
        this.clock = clock;
    }

    @Override
    public Graded grade(GradingRequest request) throws InterruptedException {
        RowBuilder row = new RowBuilder(ids.next(), clock);
        if (row.graderId().toString().equals(request.producer().id())) {
            return row.end(
                    Conclusion.without(
                            GradingOutcome.NOT_INDEPENDENT,
                            Cause.INFRASTRUCTURE,
                            "grader is not independent of the producer"));
        }
        List<String> intent =
                request.artefact().evidence() == null
                        ? List.of()
                        : IntentKeys.in(request.artefact().evidence());
        if (!intent.isEmpty()) {
            return row.end(
                    Conclusion.without(
                            GradingOutcome.REFUSED,
                            Cause.POLICY,
                            "the evidence carries the drafter's intent: " + intent));
        }
        return switch (Candidates.choose(request.policy(), request.producer(), makers)) {
            case Candidates.NotConfigured none ->
                    row.end(
                            Conclusion.without(
                                    GradingOutcome.NOT_CONFIGURED,
                                    Cause.INFRASTRUCTURE,
                                    none.reason()));
            case Candidates.NotIndependent none ->
                    row.end(
                            Conclusion.without(
                                    GradingOutcome.NOT_INDEPENDENT,
                                    Cause.INFRASTRUCTURE,
                                    none.reason()));
            case Candidates.Chosen chosen -> ask(request, chosen, row);
        };
    }

    private Graded ask(GradingRequest request, Candidates.Chosen chosen, RowBuilder row)
            throws InterruptedException {
        row.tier(chosen.tier());
        Marks marks = new Marks(nonces.get());
        try {
            Bundle bundle = BundleCollector.collect(request, budget);
            Prompt prompt = PromptBuilder.build(bundle, marks, request.policy().evidence());
            row.sent(bundle, prompt, request.policy().temperature());
            List<Reply.Unanswered> failures = new ArrayList<>();
            List<String> reasons = new ArrayList<>();
            for (ModelChoice choice : chosen.models()) {
                Reply reply = ask(request, choice, prompt);
                row.reply(choice, reply);
                switch (reply) {
                    case Reply.Answered answered -> {
                        return row.end(
                                new Judgement(request, bundle, marks, choice, makers)
                                        .of(answered.answer()));
                    }
                    case Reply.Unanswered unanswered -> {
                        failures.add(unanswered);
                        reasons.add(choice.model() + ": " + unanswered.reason());
                    }
                }
            }
            return row.end(unanswered(failures, reasons));
        } catch (IOException | UncheckedIOException e) {
            return row.end(
                    Conclusion.without(
                            GradingOutcome.UNAVAILABLE,
                            Cause.INFRASTRUCTURE,
                            "the workspace could not be read for grading"));
        }
    }

    private Reply ask(GradingRequest request, ModelChoice choice, Prompt prompt)
            throws InterruptedException {
        GraderPolicy policy = request.policy();
        Question question =
                new Question(choice.name(), prompt.system(), prompt.user(), policy.temperature());
        return providers
                .apply(choice.provider())
                .ask(question, policy.timeout(), request.deadline());
    }

    private static Conclusion unanswered(List<Reply.Unanswered> failures, List<String> reasons) {
        boolean timedOut = failures.stream().allMatch(Reply.Unanswered::timedOut);
        String why = String.join("; ", reasons);
        return timedOut
                ? Conclusion.without(
                        GradingOutcome.TIMED_OUT, Cause.INFRASTRUCTURE, "grader timed out: " + why)
                : Conclusion.without(
                        GradingOutcome.UNAVAILABLE,
                        Cause.INFRASTRUCTURE,
                        "grader unavailable: " + why);
    }
}
