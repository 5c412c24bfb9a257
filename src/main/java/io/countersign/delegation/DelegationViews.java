package io.countersign.delegation;

import io.countersign.delegation.DelegationStore.AttemptRow;
import io.countersign.delegation.DelegationStore.DelegationRow;
import io.countersign.verification.VerificationId;
import io.countersign.verification.Verifications;

import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

import tools.jackson.databind.json.JsonMapper;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Delegations and attempts as JSON. */
@Component
class DelegationViews {
    private final DelegationStore store;
    private final Verifications verifications;
    private final JsonMapper json;

    DelegationViews(DelegationStore store, Verifications verifications, JsonMapper json) {
        this.store = store;
        this.verifications = verifications;
        this.json = json;
    }

    /** A delegation in short, as listings and its opening show it. */
    Map<String, @Nullable Object> head(DelegationRow row) {
        Map<String, @Nullable Object> view = new LinkedHashMap<>();
        view.put("id", row.id());
        view.put("project", row.project());
        view.put("dod", json.readTree(row.dod()));
        view.put("state", row.state().wire());
        view.put("terminalReason", row.terminalReason());
        view.put("currentTier", row.currentTier());
        view.put("openedBy", row.openedBy());
        view.put("openedAt", row.openedAt());
        view.put("expiresAt", row.expiresAt());
        view.put("closedAt", row.closedAt());
        return view;
    }

    /** A delegation with its attempts and, once it is unmet, the best that came of it. */
    Map<String, @Nullable Object> whole(DelegationRow row) {
        List<AttemptRow> attempts = store.attempts(row.id());
        Map<String, @Nullable Object> view = head(row);
        view.put("attempts", attempts.stream().map(DelegationViews::brief).toList());
        view.put("scorecard", attempts.isEmpty() ? null : scorecard(row, attempts.getLast()));
        view.put("result", result(row, attempts));
        return view;
    }

    private static Map<String, @Nullable Object> brief(AttemptRow attempt) {
        Map<String, @Nullable Object> view = new LinkedHashMap<>();
        view.put("attempt", attempt.number());
        view.put("verification", attempt.verification().toString());
        view.put("tier", attempt.tier());
        view.put("postedBy", attempt.postedBy());
        view.put("next", next(attempt));
        view.put("postedAt", attempt.postedAt());
        view.put("concludedAt", attempt.concludedAt());
        return view;
    }

    /** The answer to an attempt; verdict and next step are null while it is being verified. */
    Map<String, @Nullable Object> attempt(DelegationRow row, int number) {
        List<AttemptRow> attempts = store.attempts(row.id());
        AttemptRow attempt =
                attempts.stream().filter(one -> one.number() == number).findFirst().orElseThrow();
        Map<String, @Nullable Object> view = new LinkedHashMap<>();
        view.put("attempt", attempt.number());
        view.put("verification", attempt.verification().toString());
        view.put("state", row.state().wire());
        view.put("verdict", verdict(attempt.verification()));
        view.put("next", next(attempt));
        view.put("scorecard", attempt.action() == null ? null : scorecard(row, attempt));
        view.put("result", result(row, attempts));
        return view;
    }

    private @Nullable Object verdict(VerificationId verification) {
        return verifications.view(verification).get("verdict");
    }

    private static @Nullable Map<String, @Nullable Object> next(AttemptRow attempt) {
        if (attempt.action() == null) return null;
        Map<String, @Nullable Object> next = new LinkedHashMap<>();
        next.put("action", attempt.action());
        next.put("tier", attempt.nextTier());
        next.put("forcingMessage", attempt.forcingMessage());
        next.put("reason", attempt.reason());
        return next;
    }

    private Map<String, @Nullable Object> scorecard(DelegationRow row, AttemptRow last) {
        LadderState ladder = row.ladder();
        Map<String, @Nullable Object> verification = verifications.view(last.verification());
        Map<?, ?> verdict = (Map<?, ?>) verification.get("verdict");
        Map<String, @Nullable Object> card = new LinkedHashMap<>();
        card.put("finalTier", row.currentTier());
        card.put("attempts", ladder.attempts());
        card.put("escalations", ladder.escalations());
        card.put("cost", ladder.cost());
        card.put("verdict", word(verification.get("accepted"), verdict));
        card.put("method", verdict == null ? null : verdict.get("method"));
        return card;
    }

    private static @Nullable String word(@Nullable Object accepted, @Nullable Map<?, ?> verdict) {
        if (verdict == null) return null;
        if (Boolean.TRUE.equals(verdict.get("skipped"))) return "SKIPPED";
        return Boolean.TRUE.equals(accepted) ? "MET" : "UNMET";
    }

    /**
     * What an unmet delegation ends with: the text and reasons of its best attempt, never as an
     * accepted result.
     */
    private @Nullable Map<String, @Nullable Object> result(
            DelegationRow row, List<AttemptRow> attempts) {
        if (row.state() != DelegationState.UNMET) return null;
        AttemptRow best =
                attempts.stream()
                        .filter(attempt -> attempt.checksPassed() != null)
                        .max(
                                Comparator.comparing(
                                                (AttemptRow attempt) ->
                                                        Objects.requireNonNull(
                                                                attempt.checksPassed()))
                                        .thenComparing(AttemptRow::number))
                        .orElse(null);
        if (best == null) return null;
        Map<?, ?> verdict = (Map<?, ?>) verdict(best.verification());
        Map<String, @Nullable Object> result = new LinkedHashMap<>();
        result.put("state", row.state().wire());
        result.put("attempt", best.number());
        result.put("text", best.finalReturnText());
        result.put("reasons", verdict == null ? List.of() : verdict.get("reasons"));
        return result;
    }
}
