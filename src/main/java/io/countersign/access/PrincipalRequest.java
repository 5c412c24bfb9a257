package io.countersign.access;

import io.countersign.kernel.Caller;
import io.countersign.kernel.PrincipalKind;
import io.countersign.kernel.ProblemException;
import io.countersign.kernel.ProblemException.FieldError;
import io.countersign.kernel.ProjectId;
import io.countersign.kernel.Role;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A principal as an administrator writes it.
 *
 * @param id letters, digits and {@code . _ : @ + -}, at most 200, and no name of the service's own;
 *     may be left out where the path has it
 * @param projects project ids, or {@code *}
 * @param tier {@code fast}, {@code medium} or {@code heavy}
 */
record PrincipalRequest(
        @Nullable String id,
        PrincipalKind kind,
        Set<Role> roles,
        @Nullable Set<String> anchorKinds,
        Set<String> projects,
        @Nullable String tier,
        @Nullable String model) {
    private static final Pattern ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:@+-]{0,199}");

    /** Names that the audit and attestations have for the service itself. */
    private static final Set<String> RESERVED = Set.of(BootstrapKey.ID, Caller.SERVICE);

    private static final Set<String> TIERS = Set.of("fast", "medium", "heavy");
    private static final int LONGEST_MODEL = 200;

    /**
     * The principal that this describes.
     *
     * @throws ProblemException 422 that names every fault
     */
    Principal toPrincipal(@Nullable String pathId) {
        List<FieldError> faults = new ArrayList<>();
        String name = id == null ? pathId : id;
        if (name == null || !ID.matcher(name).matches() || RESERVED.contains(name)) {
            faults.add(
                    new FieldError(
                            "/id",
                            "must be letters, digits and . _ : @ + -, at most 200, and none of "
                                    + RESERVED.stream().sorted().toList()));
        } else if (pathId != null && !name.equals(pathId)) {
            faults.add(new FieldError("/id", "must be the id in the path"));
        }
        Set<String> anchors = anchorKinds == null ? Set.of() : anchorKinds;
        if (!AnchorKind.GRANTABLE.containsAll(anchors)) {
            faults.add(
                    new FieldError(
                            "/anchorKinds",
                            "may have "
                                    + AnchorKind.GRANTABLE.stream().sorted().toList()
                                    + " only"));
        }
        projects.stream()
                .filter(project -> !project.equals("*"))
                .forEach(project -> checkProject(project, faults));
        if (tier != null && !TIERS.contains(tier)) {
            faults.add(new FieldError("/tier", "must be fast, medium or heavy"));
        }
        if (model != null && (model.isBlank() || model.length() > LONGEST_MODEL)) {
            faults.add(new FieldError("/model", "must be 1 to 200 characters"));
        }
        if (!faults.isEmpty() || name == null) {
            throw ProblemException.invalid(faults);
        }
        return new Principal(name, kind, roles, anchors, projects, tier, model);
    }

    private static void checkProject(String project, List<FieldError> faults) {
        try {
            ProjectId.parse("/projects", project);
        } catch (ProblemException e) {
            faults.addAll(e.errors());
        }
    }
}
