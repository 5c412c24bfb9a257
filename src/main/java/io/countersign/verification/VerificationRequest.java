package io.countersign.verification;

import io.countersign.artefact.DeclaredFile;
import io.countersign.artefact.WorkspaceRequest;
import io.countersign.dod.Hints;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.List;

/** The body of {@code POST /v1/verifications}; see {@code docs/api.md}. Absent members are null. */
public record VerificationRequest(
        @Nullable String project,
        @Nullable String mode,
        @Nullable String wiring,
        @Nullable String dispatch,
        @Nullable String acceptance,
        @Nullable Boolean trivial,
        @Nullable ProducerRequest producer,
        @Nullable ArtefactRequest artefact,
        @Nullable WorkspaceRequest workspace,
        @Nullable WorkspaceRequest base,
        @Nullable String cwd,
        @Nullable Hints hints,
        @Nullable JsonNode runtimeEvidence,
        Submission.@Nullable Limits limits,
        @Nullable CallbackRequest callback) {
    public record ProducerRequest(
            @Nullable String id,
            @Nullable String drafterId,
            @Nullable String tier,
            @Nullable String model,
            @Nullable String error) {}

    public record ArtefactRequest(
            @Nullable String finalReturnText,
            @Nullable List<DeclaredFile.Request> changedFiles,
            @Nullable List<String> declaredOutputs) {}

    public record CallbackRequest(@Nullable String url) {}
}
