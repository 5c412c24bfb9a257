package io.countersign.artefact;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.Map;

/**
 * {@code workspace} or {@code base} as a caller sends it: exactly one member is set.
 *
 * @param files by path: a text, or {@code {"base64": "..."}}
 * @param sha256 digest of an archive that this project uploaded before
 * @param mount a directory of the server's host
 */
public record WorkspaceRequest(
        @Nullable Map<String, JsonNode> files,
        @Nullable String sha256,
        @Nullable MountRequest mount) {
    /**
     * @param path absolute, below one of {@code countersign.workspaces.mount-roots}
     */
    public record MountRequest(String path) {}
}
