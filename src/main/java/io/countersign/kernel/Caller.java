package io.countersign.kernel;

import org.jspecify.annotations.Nullable;

import java.util.Set;

/**
 * The authenticated principal behind a request. Identity comes from the credential, never from a
 * field of the body.
 *
 * @param id the principal's id
 * @param kind what sort of party it is
 * @param roles what it may do
 * @param anchorKinds anchor kinds it was granted as an attestor
 * @param projects the projects its key reaches; {@code *} reaches all
 * @param tier the registered tier of an agent, if any
 * @param model the registered model of an agent, if any
 * @param anchorId an anchor id that the credential itself proves (a CI run), if any
 */
public record Caller(
        String id,
        PrincipalKind kind,
        Set<Role> roles,
        Set<String> anchorKinds,
        Set<String> projects,
        @Nullable String tier,
        @Nullable String model,
        @Nullable String anchorId) {
    public Caller {
        roles = Set.copyOf(roles);
        anchorKinds = Set.copyOf(anchorKinds);
        projects = Set.copyOf(projects);
    }

    public boolean has(Role role) {
        return roles.contains(role);
    }

    public boolean reaches(ProjectId project) {
        return projects.contains("*") || projects.contains(project.value());
    }

    /**
     * Demands that the caller's key reaches the project.
     *
     * @throws ProblemException 403
     */
    public void demand(ProjectId project) {
        if (!reaches(project)) {
            throw new ProblemException(
                    ProblemCode.FORBIDDEN,
                    "principal " + id + " has no access to project " + project);
        }
    }

    /** The id under which the service itself attests, signs and audits; nobody else can have it. */
    public static final String SERVICE = "countersign";

    /**
     * Demands that the caller reaches all projects, as what belongs to the whole service takes.
     *
     * @param what names it, in the plural
     * @throws ProblemException 403
     */
    public void demandWhole(String what) {
        if (!projects.contains("*")) {
            throw new ProblemException(
                    ProblemCode.FORBIDDEN,
                    what
                            + " belong to the whole service, and "
                            + id
                            + " does not reach all projects");
        }
    }
}
