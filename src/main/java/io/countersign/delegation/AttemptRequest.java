package io.countersign.delegation;

import io.countersign.artefact.WorkspaceRequest;
import io.countersign.verification.VerificationRequest;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.math.BigDecimal;

/**
 * The body of {@code POST /v1/delegations/{id}/attempts}.
 *
 * @param costUnits what the attempt cost; null takes the tier's cost
 * @param error why the producer itself failed; null when it did not
 */
record AttemptRequest(
        @Nullable ProducerId producer,
        VerificationRequest.@Nullable ArtefactRequest artefact,
        @Nullable WorkspaceRequest workspace,
        @Nullable WorkspaceRequest base,
        @Nullable JsonNode runtimeEvidence,
        @Nullable BigDecimal costUnits,
        @Nullable String error) {
    record ProducerId(@Nullable String id, @Nullable String model) {}
}
