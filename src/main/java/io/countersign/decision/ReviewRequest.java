package io.countersign.decision;

import io.countersign.decision.ReviewStore.Backend;
import io.countersign.kernel.Caller;
import io.countersign.kernel.CanonicalJson;
import io.countersign.kernel.ProblemException;
import io.countersign.kernel.ProblemException.FieldError;
import io.countersign.verification.Trust;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * What a judge shall look at.
 *
 * @param judge the principal that judges; only for the backend {@code external}
 */
record ReviewRequest(
        @Nullable String project,
        JsonNode artifact,
        JsonNode evidence,
        String drafterId,
        @Nullable String judge,
        ChangeSetBody changeSet,
        Backend backend) {

    ReviewStore.Row read(Caller caller, UUID id, Instant now) {
        List<FieldError> errors = new ArrayList<>();
        if (!Documents.isId(drafterId)) {
            errors.add(new FieldError("/drafterId", "is no id"));
        }
        switch (backend) {
            case EXTERNAL -> {
                if (judge == null || !Documents.isId(judge)) {
                    errors.add(new FieldError("/judge", "name the principal that judges"));
                } else if (judge.equals(drafterId)) {
                    errors.add(new FieldError("/judge", "is the drafter"));
                }
            }
            case GRADER -> {
                if (judge != null) {
                    errors.add(new FieldError("/judge", "is the service itself: leave it out"));
                }
            }
        }
        if (!errors.isEmpty()) {
            throw ProblemException.invalid(errors);
        }
        JsonNode bundle = Scrubbed.copy(BundleSealer.seal(artifact, evidence));
        return new ReviewStore.Row(
                id,
                DecisionRequest.projectOf(caller, project),
                backend,
                judge,
                drafterId,
                bundle,
                CanonicalJson.sha256(bundle),
                changeSet.read("/changeSet"),
                caller.id(),
                Trust.apart(caller, drafterId),
                now,
                null,
                null,
                null,
                null);
    }
}
