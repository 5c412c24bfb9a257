package io.countersign.artefact;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;

import io.countersign.kernel.Sha256;

/**
 * Where the files of a run come from, frozen at submission. It reads and writes as JSON, so that it
 * can be stored with a verification and materialised by a worker on another host.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
    @JsonSubTypes.Type(value = WorkspaceInput.None.class, name = "none"),
    @JsonSubTypes.Type(value = WorkspaceInput.Inline.class, name = "inline"),
    @JsonSubTypes.Type(value = WorkspaceInput.Archive.class, name = "archive"),
    @JsonSubTypes.Type(value = WorkspaceInput.Mount.class, name = "mount")
})
public sealed interface WorkspaceInput {
    /** No workspace: criteria only. */
    record None() implements WorkspaceInput {}

    /** Files of the request itself, stored as one blob of the project. */
    record Inline(Sha256 sha256) implements WorkspaceInput {}

    /** An uploaded archive, stored as a blob of the project. */
    record Archive(Sha256 sha256) implements WorkspaceInput {}

    /**
     * A directory of the worker's host, below one of {@code countersign.workspaces.mount-roots}.
     *
     * @param path absolute, as the caller sent it
     */
    record Mount(String path) implements WorkspaceInput {}
}
