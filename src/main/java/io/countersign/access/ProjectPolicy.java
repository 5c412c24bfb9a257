package io.countersign.access;

import io.countersign.kernel.CanonicalJson;
import io.countersign.kernel.Sha256;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * What a project says of its own policy. A member that is absent keeps the server's value.
 *
 * @param document an object with one member per policy section, secrets included
 * @param digest of the document without its write-only members
 */
public record ProjectPolicy(JsonNode document, Sha256 digest) {
    /** The policy of a project that was never configured. */
    public static final ProjectPolicy NONE = none();

    private static ProjectPolicy none() {
        JsonNode empty = JsonNodeFactory.instance.objectNode();
        return new ProjectPolicy(empty, CanonicalJson.sha256(empty));
    }
}
