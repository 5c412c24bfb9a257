package io.countersign.delegation;

import io.countersign.access.Projects;
import io.countersign.kernel.PolicySection;
import io.countersign.kernel.ProblemException;
import io.countersign.kernel.ProblemException.FieldError;
import io.countersign.kernel.ProjectId;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.stereotype.Component;

import tools.jackson.databind.JsonNode;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reads {@code escalate} of a request, over the project's, over the server's. */
@Component
class Escalation implements PolicySection {
    private static final Set<String> MEMBERS =
            Set.of(
                    "ladder",
                    "floorTier",
                    "maxAttemptsPerTier",
                    "maxTotalAttempts",
                    "costMultiple",
                    "tierCosts");

    private final EscalateProperties properties;
    private final ObjectProvider<Projects> projects;

    /** Projects knows this bean as a policy section, so it is asked for late. */
    Escalation(EscalateProperties properties, ObjectProvider<Projects> projects) {
        this.properties = properties;
        this.projects = projects;
    }

    @Override
    public String name() {
        return "escalate";
    }

    @Override
    public List<FieldError> validate(JsonNode section) {
        List<FieldError> faults = new ArrayList<>();
        over(properties.toPolicy(), section, faults);
        return faults;
    }

    /**
     * The policy of a new delegation.
     *
     * @throws ProblemException 422 that names the members at fault
     */
    EscalationPolicy effective(ProjectId project, @Nullable JsonNode asked) {
        JsonNode section = projects.getObject().policy(project).document().path(name());
        EscalationPolicy policy = over(properties.toPolicy(), section, new ArrayList<>());
        if (asked == null || asked.isNull()) return policy;
        List<FieldError> faults = new ArrayList<>();
        policy = over(policy, asked, faults);
        if (!faults.isEmpty()) {
            throw ProblemException.invalid(
                    faults.stream()
                            .map(f -> new FieldError("/policy/escalate" + f.pointer(), f.message()))
                            .toList());
        }
        return policy;
    }

    private static EscalationPolicy over(
            EscalationPolicy below, JsonNode section, List<FieldError> faults) {
        if (section.isMissingNode()) return below;
        if (!section.isObject()) {
            faults.add(new FieldError("", "is an object"));
            return below;
        }
        section.propertyNames().stream()
                .filter(member -> !MEMBERS.contains(member))
                .forEach(m -> faults.add(new FieldError("/" + m, "does not exist")));
        Members members = new Members(section, faults);
        try {
            return new EscalationPolicy(
                    members.texts("ladder", below.ladder()),
                    members.text("floorTier", below.floorTier()),
                    members.whole("maxAttemptsPerTier", 0, below.maxAttemptsPerTier()),
                    members.whole("maxTotalAttempts", 1, below.maxTotalAttempts()),
                    section.path("costMultiple").isNull()
                            ? null
                            : members.decimal("costMultiple", below.costMultiple()),
                    members.costs("tierCosts", below.tierCosts()));
        } catch (IllegalArgumentException e) {
            faults.add(new FieldError("", String.valueOf(e.getMessage())));
            return below;
        }
    }

    /** The members of one section; a fault is noted and the value below holds. */
    private record Members(JsonNode section, List<FieldError> faults) {
        private <T extends @Nullable Object> T fault(String member, String message, T below) {
            faults.add(new FieldError("/" + member, message));
            return below;
        }

        private boolean absent(String member) {
            return section.path(member).isMissingNode() || section.path(member).isNull();
        }

        List<String> texts(String member, List<String> below) {
            if (absent(member)) return below;
            JsonNode value = section.path(member);
            boolean texts = value.isArray() && value.valueStream().allMatch(JsonNode::isString);
            return texts
                    ? value.valueStream().map(JsonNode::asString).toList()
                    : fault(member, "is a list of texts", below);
        }

        @Nullable String text(String member, @Nullable String below) {
            if (absent(member)) return below;
            JsonNode value = section.path(member);
            return value.isString() ? value.asString() : fault(member, "is a text", below);
        }

        int whole(String member, int least, int below) {
            if (absent(member)) return below;
            JsonNode value = section.path(member);
            return value.isIntegralNumber() && value.canConvertToInt() && value.intValue() >= least
                    ? value.intValue()
                    : fault(member, "is a whole number from " + least, below);
        }

        @Nullable BigDecimal decimal(String member, @Nullable BigDecimal below) {
            if (absent(member)) return below;
            JsonNode value = section.path(member);
            return value.isNumber() && value.decimalValue().signum() > 0
                    ? value.decimalValue()
                    : fault(member, "is a positive number, or null for no ceiling", below);
        }

        Map<String, BigDecimal> costs(String member, Map<String, BigDecimal> below) {
            if (absent(member)) return below;
            Map<String, BigDecimal> costs = new HashMap<>();
            for (Map.Entry<String, JsonNode> cost : section.path(member).properties()) {
                if (!cost.getValue().isNumber() || cost.getValue().decimalValue().signum() < 0) {
                    return fault(member, "has a cost that is no number from 0", below);
                }
                costs.put(cost.getKey(), cost.getValue().decimalValue());
            }
            return costs;
        }
    }
}
