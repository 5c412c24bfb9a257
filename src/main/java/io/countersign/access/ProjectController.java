package io.countersign.access;

import io.countersign.kernel.Caller;
import io.countersign.kernel.ProjectId;

import jakarta.annotation.security.RolesAllowed;

import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

import tools.jackson.databind.JsonNode;

/** A project's policy document. Its id is {@code name} or {@code owner/name}, as it is. */
@RestController
@RequestMapping("/v1/projects")
class ProjectController {
    private final Projects projects;

    ProjectController(Projects projects) {
        this.projects = projects;
    }

    @GetMapping("/{project}")
    @RolesAllowed({"reader", "requester", "admin"})
    ResponseEntity<JsonNode> get(Caller caller, @PathVariable String project) {
        ProjectId id = ProjectId.parse("{project}", project);
        caller.demand(id);
        return answer(projects.shown(id));
    }

    @GetMapping("/{owner}/{name}")
    @RolesAllowed({"reader", "requester", "admin"})
    ResponseEntity<JsonNode> getOwned(
            Caller caller, @PathVariable String owner, @PathVariable String name) {
        return get(caller, owner + "/" + name);
    }

    @PutMapping("/{project}")
    @RolesAllowed({"requester", "admin"})
    ResponseEntity<JsonNode> put(
            Caller caller, @PathVariable String project, @RequestBody JsonNode policy) {
        ProjectId id = ProjectId.parse("{project}", project);
        caller.demand(id);
        return answer(projects.put(caller, id, policy));
    }

    @PutMapping("/{owner}/{name}")
    @RolesAllowed({"requester", "admin"})
    ResponseEntity<JsonNode> putOwned(
            Caller caller,
            @PathVariable String owner,
            @PathVariable String name,
            @RequestBody JsonNode policy) {
        return put(caller, owner + "/" + name, policy);
    }

    private static ResponseEntity<JsonNode> answer(ProjectPolicy policy) {
        return ResponseEntity.ok().eTag(policy.digest().hex()).body(policy.document());
    }
}
