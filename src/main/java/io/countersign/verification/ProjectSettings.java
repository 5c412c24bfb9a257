package io.countersign.verification;

import io.countersign.access.Projects;
import io.countersign.kernel.ProjectId;

import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

import tools.jackson.databind.JsonNode;

/** What this module reads of a project's policy document beside the frozen policy. */
@Component
class ProjectSettings {
    private final Projects projects;

    ProjectSettings(Projects projects) {
        this.projects = projects;
    }

    /** The secret that callbacks are signed with; null when an admin set none. */
    @Nullable String callbackSecret(ProjectId project) {
        JsonNode secret = projects.policy(project).document().path("callback").path("secret");
        return secret.isString() && !secret.asString().isBlank() ? secret.asString() : null;
    }
}
