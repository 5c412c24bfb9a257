package io.countersign.decision;

import io.countersign.decision.ChangeSetBody.Judged;
import io.countersign.gate.Assurance;
import io.countersign.kernel.Caller;
import io.countersign.kernel.ProjectId;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.UUID;

/**
 * A request for a decision that was read and checked.
 *
 * @param verdict null for none
 * @param attestation null for none
 * @param changeSet null when none came along
 * @param receipt that came along; null for none
 * @param reviewId the review that the verdict comes from; null for none
 * @param assurance what a receipt is worth that comes of it
 */
record Asked(
        ProjectId project,
        Caller caller,
        @Nullable JsonNode verdict,
        @Nullable JsonNode attestation,
        boolean judgeUnreachable,
        boolean requireBlocking,
        Question.@Nullable Override override,
        @Nullable Judged changeSet,
        @Nullable SentReceipt receipt,
        @Nullable UUID reviewId,
        Assurance assurance) {
    /**
     * A receipt as it was sent.
     *
     * @param id null when it names none
     * @param document all that was sent of it; null when only the id was
     */
    record SentReceipt(@Nullable UUID id, @Nullable JsonNode document) {}

    Attestor attestor() {
        return new Attestor(caller.id(), caller.anchorKinds(), caller.anchorId());
    }
}
