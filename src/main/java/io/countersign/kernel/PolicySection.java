package io.countersign.kernel;

import tools.jackson.databind.JsonNode;

import java.util.List;

/**
 * The owner of one member of a project's policy document ({@code PUT /v1/projects/{project}}).
 * {@code access} keeps the sections as JSON; whoever reads one registers a bean of this type.
 */
public interface PolicySection {
    /** The member's name, for example {@code commands}. */
    String name();

    /**
     * The faults of the section as a caller sent it; empty when it is well formed. Pointers are
     * relative to the section, for example {@code /allowlist/0}.
     */
    List<ProblemException.FieldError> validate(JsonNode section);

    /**
     * JSON pointers, relative to the section, of members that are never shown again, for example
     * {@code /secret}. A document that comes without one keeps the stored value; null removes it.
     */
    default List<String> writeOnly() {
        return List.of();
    }
}
