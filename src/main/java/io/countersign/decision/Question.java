package io.countersign.decision;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

/**
 * What is to be decided. Verdict and attestation are documents as they came.
 *
 * @param verdict null when there is none
 * @param attestation null when there is none
 * @param override null when none was asked for
 * @param receiptProblem why the receipt that came along is not valid for the change-set; null when
 *     none came or it is
 */
record Question(
        @Nullable JsonNode verdict,
        @Nullable JsonNode attestation,
        Attestor attestor,
        boolean judgeUnreachable,
        boolean requireBlocking,
        @Nullable Override override,
        @Nullable String receiptProblem,
        KnownContent content) {

    /**
     * An admin's word against a block.
     *
     * @param by the principal
     * @param reason why, not blank
     */
    record Override(String by, String reason) {}
}
