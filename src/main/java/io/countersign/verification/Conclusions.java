package io.countersign.verification;

import io.countersign.artefact.ChangeSet;
import io.countersign.artefact.PreparedWorkspace;
import io.countersign.check.CheckResult;
import io.countersign.dod.Dod;
import io.countersign.dod.DodJson;
import io.countersign.gate.ForcingNote;
import io.countersign.gate.Gate;
import io.countersign.gate.Plan;
import io.countersign.gate.Results;
import io.countersign.gate.Verdict;
import io.countersign.gate.Wiring;
import io.countersign.grader.Tier;
import io.countersign.kernel.CanonicalJson;
import io.countersign.kernel.Cause;
import io.countersign.kernel.Sha256;
import io.countersign.verification.VerificationJob.Prepared;

import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

import tools.jackson.databind.json.JsonMapper;

import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Draws the conclusion of a run: what there is to store, and nothing stored yet. */
@Component
class Conclusions {
    private final InstantSource clock;
    private final JsonMapper json;

    Conclusions(InstantSource clock, JsonMapper json) {
        this.clock = clock;
        this.json = json;
    }

    /**
     * Of a plan that runs nothing.
     *
     * @throws IllegalArgumentException for a plan that must be carried out
     */
    Conclusion without(RunContext context, Prepared prepared, Plan plan) {
        Verdict verdict =
                switch (plan) {
                    case Plan.Skip skip -> Gate.conclude(skip, context.submission().author());
                    case Plan.Refuse refusal ->
                            Gate.conclude(refusal, context.submission().author());
                    case Plan.Verify verify ->
                            throw new IllegalArgumentException("this plan must be carried out");
                };
        PreparedWorkspace files = prepared.files();
        return conclusion(
                context,
                verdict,
                plan.dod(),
                null,
                files.changeSet(),
                files.treeSha256(),
                List.of(),
                false);
    }

    /** Of a plan that was carried out. */
    Conclusion of(
            RunContext context,
            Prepared prepared,
            Plan.Verify plan,
            Results results,
            boolean checksStored) {
        PreparedWorkspace files = prepared.files();
        return conclusion(
                context,
                Gate.conclude(plan, results, context.submission().author()),
                plan.dod(),
                plan.baseline(),
                files.changeSet(),
                files.treeSha256(),
                results.checks(),
                checksStored);
    }

    /** Of a run that showed nothing of the work. */
    Conclusion bare(RunContext context, Verdict verdict) {
        return conclusion(
                context,
                verdict,
                context.submission().dod(),
                null,
                new ChangeSet.Unknown(),
                null,
                List.of(),
                false);
    }

    private Conclusion conclusion(
            RunContext context,
            Verdict verdict,
            Dod dod,
            @Nullable Dod baseline,
            ChangeSet changeSet,
            @Nullable Sha256 tree,
            List<CheckResult> checks,
            boolean checksStored) {
        return new Conclusion(
                verdict,
                dod,
                baseline,
                json.writeValueAsString(DodJson.members(dod)),
                baseline == null ? null : json.writeValueAsString(DodJson.members(baseline)),
                dodSha256(dod, baseline),
                changeSet,
                tree,
                checks,
                checksStored,
                forcingNote(context.submission(), verdict),
                verdict.cause() == Cause.CANCELLED,
                clock.instant());
    }

    /** The digest that a consumer may demand; null where there is nothing to digest. */
    private @Nullable Sha256 dodSha256(Dod dod, @Nullable Dod baseline) {
        if (dod.kind() == Dod.Kind.NONE && baseline == null) return null;
        Map<String, @Nullable Object> both = new HashMap<>();
        both.put("dod", DodJson.digestMembers(dod));
        both.put("baseline", baseline == null ? null : DodJson.digestMembers(baseline));
        return CanonicalJson.sha256(json.valueToTree(both));
    }

    private static @Nullable String forcingNote(Submission submission, Verdict verdict) {
        if (submission.wiring() != Wiring.ADVISORY) return null;
        String tier = submission.producer().tier();
        return ForcingNote.advisory(verdict, tier == null ? null : above(tier));
    }

    private static @Nullable String above(String tier) {
        try {
            List<Tier> ladder = Tier.parse(tier).andAbove();
            return ladder.size() > 1 ? ladder.get(1).wire() : null;
        } catch (IllegalArgumentException e) {
            return null;
        }
    }
}
