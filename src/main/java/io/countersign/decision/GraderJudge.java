package io.countersign.decision;

import io.countersign.access.AnchorKind;
import io.countersign.artefact.ChangeSet;
import io.countersign.grader.FrozenFiles;
import io.countersign.grader.Graded;
import io.countersign.grader.Grader;
import io.countersign.grader.GraderPolicy;
import io.countersign.grader.GradingOutcome;
import io.countersign.grader.GradingRequest;
import io.countersign.grader.GradingRow;
import io.countersign.kernel.Caller;
import io.countersign.verification.EffectivePolicy;

import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

import java.time.InstantSource;
import java.util.List;

/**
 * The service's own grader as a judge over a sealed bundle. What it says becomes a verdict document
 * like any other's and goes through the same rules.
 */
@Component
class GraderJudge {
    private static final String LENS = "correctness";
    private static final String CRITERION =
            "Nothing in the evidence refutes the artefact: it does what it is said to do, and no"
                    + " defect of high severity follows from what the evidence shows. Refute it only"
                    + " with a quote from the evidence.";

    private final Grader grader;
    private final InstantSource clock;
    private final JsonMapper json;

    GraderJudge(Grader grader, InstantSource clock, JsonMapper json) {
        this.grader = grader;
        this.clock = clock;
        this.json = json;
    }

    /**
     * What the grader came to.
     *
     * @param verdict null when it could not be reached or read, or did not see all of the bundle
     */
    record Judgement(@Nullable JsonNode verdict, JsonNode attestation, JsonNode grading) {}

    /** Blocks for the time of one grading. */
    Judgement judge(ReviewStore.Row review, EffectivePolicy policy) throws InterruptedException {
        Graded graded = grader.grade(request(review, policy));
        String judgeId = "grader:" + graded.row().graderId();
        GradingOutcome outcome = graded.row().outcome();
        boolean heard = outcome == GradingOutcome.PASSED || outcome == GradingOutcome.FAILED;
        return new Judgement(
                heard ? verdict(review, judgeId, graded) : null,
                attestation(judgeId, graded.row()),
                json.valueToTree(graded.row()));
    }

    private GradingRequest request(ReviewStore.Row review, EffectivePolicy policy) {
        GraderPolicy grading = policy.grader();
        FrozenFiles files = BundleFiles.of(review.bundle());
        return new GradingRequest(
                List.of(CRITERION),
                null,
                new GradingRequest.Producer(review.drafterId(), null, null),
                new GradingRequest.Artefact(
                        "", new ChangeSet.Unknown(), List.of(), "", files, review.bundle()),
                List.of(),
                grading,
                clock.instant().plus(policy.gateBudget()));
    }

    private static JsonNode verdict(ReviewStore.Row review, String judgeId, Graded graded) {
        GradingRow row = graded.row();
        ObjectNode verdict = JsonNodeFactory.instance.objectNode();
        verdict.put("schema", VerdictReader.SCHEMA);
        verdict.put("drafter_id", review.drafterId());
        verdict.put("producer_id", judgeId);
        ObjectNode lens = verdict.putArray("lenses").addObject();
        lens.put("lens", LENS);
        lens.put("verdict", graded.result().pass() ? "holds" : "refuted");
        lens.put("probe", "graded over the sealed bundle by " + row.modelAnswered());
        ArrayNode findings = lens.putArray("findings");
        if (!graded.result().pass()) {
            String claim = String.join("; ", graded.result().reasons());
            row.evidence().forEach(quote -> addFinding(findings, claim, quote));
            if (row.evidence().isEmpty()) {
                findings.addObject().put("severity", "high").put("claim", claim);
            }
        }
        return verdict;
    }

    private static void addFinding(ArrayNode findings, String claim, GradingRow.Quote quote) {
        findings.addObject()
                .put("severity", "high")
                .put("claim", claim)
                .putObject("evidence")
                .put("type", "source")
                .put("ref", quote.ref())
                .put("literal", quote.quote());
    }

    private static JsonNode attestation(String judgeId, GradingRow row) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("schema", DecisionCore.ATTESTATION_SCHEMA)
                .put("anchor_kind", AnchorKind.STATELESS_API.wire())
                .put("anchor_id", row.graderId().toString())
                .put("attestor", Caller.SERVICE)
                .put("producer_id", judgeId)
                .put("context_isolated", true);
    }
}
