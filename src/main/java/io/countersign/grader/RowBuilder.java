package io.countersign.grader;

import io.countersign.grader.GradingRow.NotSeen;
import io.countersign.grader.provider.Answer;
import io.countersign.grader.provider.Reply;
import io.countersign.scrub.Bounded;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

/** Gathers a grading's facts while it runs. */
final class RowBuilder {
    private static final int MAX_REPLY = 16_000;
    private static final int MAX_NOT_SEEN = 100;

    private final UUID graderId;
    private final InstantSource clock;
    private final Instant begun;
    private @Nullable Tier tier;
    private @Nullable ModelChoice asked;
    private @Nullable Answer answer;
    private @Nullable String promptSha256;
    private @Nullable Double temperature;
    private boolean temperatureOmitted;
    private boolean structured;
    private int requests;
    private List<NotSeen> notSeen = List.of();

    RowBuilder(UUID graderId, InstantSource clock) {
        this.graderId = graderId;
        this.clock = clock;
        this.begun = clock.instant();
    }

    UUID graderId() {
        return graderId;
    }

    void tier(Tier chosen) {
        tier = chosen;
    }

    void sent(Bundle bundle, Prompt prompt, double pinned) {
        promptSha256 = prompt.sha256().hex();
        temperature = pinned;
        notSeen =
                Stream.concat(bundle.cuts().stream(), bundle.hints().stream())
                        .limit(MAX_NOT_SEEN)
                        .toList();
    }

    void reply(ModelChoice choice, Reply reply) {
        asked = choice;
        requests += reply.requests();
        if (reply instanceof Reply.Answered answered) {
            answer = answered.answer();
            temperatureOmitted = answered.temperatureOmitted();
            structured = answered.structured();
        }
    }

    Graded end(Conclusion conclusion) {
        GradingRow row =
                new GradingRow(
                        graderId,
                        conclusion.outcome(),
                        conclusion.pass(),
                        conclusion.cause() == null ? null : conclusion.cause().wire(),
                        conclusion.reasons(),
                        tier,
                        asked == null ? null : asked.provider(),
                        asked == null ? null : asked.name(),
                        answer == null ? null : answer.model(),
                        answer == null ? null : answer.id(),
                        promptSha256,
                        answer == null ? null : answer.tokensIn(),
                        answer == null ? null : answer.tokensOut(),
                        Duration.between(begun, clock.instant()).toMillis(),
                        requests,
                        temperatureOmitted ? null : temperature,
                        temperatureOmitted,
                        structured,
                        answer == null ? null : Bounded.headTail(answer.text(), MAX_REPLY),
                        conclusion.evidence(),
                        notSeen);
        return new Graded(conclusion.result(notSeen), row);
    }
}
