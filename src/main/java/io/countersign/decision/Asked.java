package io.countersign.decision;

import io.countersign.decision.ChangeSetBody.Judged;
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
 * @param receiptId of a receipt that came along; null for none
 * @param receiptFault what is wrong with the receipt as it was sent; null for nothing
 * @param reviewId the review that the verdict comes from; null for none
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
        @Nullable UUID receiptId,
        @Nullable String receiptFault,
        @Nullable UUID reviewId) {

    Attestor attestor() {
        return new Attestor(caller.id(), caller.anchorKinds(), caller.anchorId());
    }
}
