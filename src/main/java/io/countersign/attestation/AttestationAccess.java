package io.countersign.attestation;

import io.countersign.access.Projects;
import io.countersign.kernel.Caller;
import io.countersign.kernel.PolicySection;
import io.countersign.kernel.ProblemException.FieldError;
import io.countersign.kernel.ProjectId;
import io.countersign.kernel.Role;

import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.List;

/**
 * Who may read the attestations of a project: readers that reach it, and everybody when its policy
 * says {@code "attestations": {"public": true}}.
 */
@Component
class AttestationAccess {
    static final String SECTION = "attestations";

    private final Projects projects;

    AttestationAccess(Projects projects) {
        this.projects = projects;
    }

    boolean mayRead(@Nullable Caller caller, ProjectId project) {
        boolean reads = caller != null && caller.has(Role.READER) && caller.reaches(project);
        return reads
                || projects.policy(project)
                        .document()
                        .path(SECTION)
                        .path("public")
                        .asBoolean(false);
    }

    /** The section of the project policy. */
    @Component
    static class Section implements PolicySection {
        @Override
        public String name() {
            return SECTION;
        }

        @Override
        public List<FieldError> validate(JsonNode section) {
            if (!section.isObject()) {
                return List.of(new FieldError("", "must be an object"));
            }
            List<FieldError> errors = new ArrayList<>();
            section.properties()
                    .forEach(
                            member -> {
                                String pointer = "/" + member.getKey();
                                if (!member.getKey().equals("public")) {
                                    errors.add(new FieldError(pointer, "does not exist"));
                                } else if (!member.getValue().isBoolean()) {
                                    errors.add(new FieldError(pointer, "must be true or false"));
                                }
                            });
            return errors;
        }
    }
}
