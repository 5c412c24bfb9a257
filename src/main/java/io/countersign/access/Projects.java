package io.countersign.access;

import io.countersign.audit.AuditLog;
import io.countersign.kernel.Caller;
import io.countersign.kernel.CanonicalJson;
import io.countersign.kernel.PrincipalKind;
import io.countersign.kernel.ProblemCode;
import io.countersign.kernel.ProblemException;
import io.countersign.kernel.ProjectId;
import io.countersign.kernel.Role;

import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.time.InstantSource;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/** Projects and their policy documents. */
@Service
public class Projects {
    private static final String BASELINE = "baseline";
    private static final Set<PrincipalKind> BASELINE_KINDS =
            EnumSet.of(PrincipalKind.CI, PrincipalKind.HUMAN, PrincipalKind.ORCHESTRATOR);

    private final ProjectStore store;
    private final PolicySections sections;
    private final AuditLog audit;
    private final InstantSource clock;

    Projects(ProjectStore store, PolicySections sections, AuditLog audit, InstantSource clock) {
        this.store = store;
        this.sections = sections;
        this.audit = audit;
        this.clock = clock;
    }

    /**
     * What the project says of its policy; the empty document for one that was never configured.
     * One indexed query, so that a change counts from the next request on, on every replica.
     */
    public ProjectPolicy policy(ProjectId project) {
        return store.find(project).orElse(ProjectPolicy.NONE);
    }

    /** The policy without its write-only members, and its digest. */
    ProjectPolicy shown(ProjectId project) {
        ProjectPolicy policy = policy(project);
        return new ProjectPolicy(sections.visible(policy.document()), policy.digest());
    }

    /**
     * Replaces the whole document; from a requester that is no administrator, its baseline alone.
     */
    @Transactional
    ProjectPolicy put(Caller caller, ProjectId project, JsonNode body) {
        boolean admin = caller.has(Role.ADMIN);
        if (!admin) {
            demandBaselineOnly(caller, body);
        }
        ObjectNode checked = sections.check(body);
        store.lock(project);
        ProjectPolicy before = policy(project);
        ObjectNode document = admin ? checked : withBaseline(before.document(), checked);
        sections.keepSecrets(before.document(), document);
        ObjectNode visible = sections.visible(document);
        ProjectPolicy after = new ProjectPolicy(document, CanonicalJson.sha256(visible));
        store.save(project, after, caller.id(), clock.instant());
        audit.record(
                caller,
                project,
                "project.policy-changed",
                project.value(),
                Map.of(
                        "sections", changed(before.document(), document),
                        "before", before.digest().hex(),
                        "after", after.digest().hex()));
        return new ProjectPolicy(visible, after.digest());
    }

    private static void demandBaselineOnly(Caller caller, JsonNode body) {
        if (!BASELINE_KINDS.contains(caller.kind())) {
            throw new ProblemException(
                    ProblemCode.FORBIDDEN,
                    "only an administrator, or a requester of kind ci, human or orchestrator, may"
                            + " change a baseline");
        }
        if (body.size() != 1 || !body.has(BASELINE)) {
            throw new ProblemException(
                    ProblemCode.FORBIDDEN,
                    "without the role admin only the member baseline can be changed");
        }
    }

    private static ObjectNode withBaseline(JsonNode stored, ObjectNode change) {
        ObjectNode document = (ObjectNode) stored.deepCopy();
        JsonNode baseline = change.get(BASELINE);
        if (baseline == null) {
            document.remove(BASELINE);
        } else {
            document.set(BASELINE, baseline);
        }
        return document;
    }

    private static List<String> changed(JsonNode before, JsonNode after) {
        Set<String> names = new TreeSet<>(before.propertyNames());
        names.addAll(after.propertyNames());
        return names.stream()
                .filter(name -> !Objects.equals(before.get(name), after.get(name)))
                .toList();
    }
}
