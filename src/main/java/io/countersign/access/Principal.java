package io.countersign.access;

import io.countersign.kernel.Caller;
import io.countersign.kernel.PrincipalKind;
import io.countersign.kernel.ProjectId;
import io.countersign.kernel.Role;

import org.jspecify.annotations.Nullable;

import java.util.Set;

/**
 * A party that this service knows.
 *
 * @param id its name, unique and never given twice
 * @param kind what sort of party it is
 * @param roles what it may do
 * @param anchorKinds outside anchor kinds that it may attest
 * @param projects the projects that it reaches; {@code *} reaches all
 * @param tier the tier of an agent's model, if registered
 * @param model the model of an agent, if registered
 */
public record Principal(
        String id,
        PrincipalKind kind,
        Set<Role> roles,
        Set<String> anchorKinds,
        Set<String> projects,
        @Nullable String tier,
        @Nullable String model) {
    public Principal {
        roles = Set.copyOf(roles);
        anchorKinds = Set.copyOf(anchorKinds);
        projects = Set.copyOf(projects);
    }

    public boolean reaches(ProjectId project) {
        return caller().reaches(project);
    }

    /** The caller behind one of its keys. */
    Caller caller() {
        return new Caller(id, kind, roles, anchorKinds, projects, tier, model, null);
    }
}
