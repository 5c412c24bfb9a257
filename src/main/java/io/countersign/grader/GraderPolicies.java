package io.countersign.grader;

import io.countersign.kernel.PolicySection;
import io.countersign.kernel.ProblemException.FieldError;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.util.List;

/** The grading policy of a submission: the server's, then the project's, then the request's. */
@Component
public class GraderPolicies implements PolicySection {
    private static final Logger LOG = LoggerFactory.getLogger(GraderPolicies.class);

    private final GraderProperties properties;

    GraderPolicies(GraderProperties properties) {
        this.properties = properties;
    }

    @Override
    public String name() {
        return "grader";
    }

    @Override
    public List<FieldError> validate(JsonNode section) {
        return over(section).faults();
    }

    /**
     * The policy to freeze. A value of the project that cannot be used counts as the server's, with
     * a log line: a broken ceiling is never none.
     *
     * @param section the project's {@code grader} member; null when it has none
     * @param requestTimeout the request's own ceiling for a turn, which may only lower; null for
     *     none
     */
    public GraderPolicy effective(@Nullable JsonNode section, @Nullable Duration requestTimeout) {
        GraderPolicy policy = section == null ? properties.toPolicy() : readable(section);
        if (requestTimeout == null || !requestTimeout.isPositive()) return policy;
        boolean lower = requestTimeout.compareTo(policy.timeout()) < 0;
        return lower ? policy.withTimeout(requestTimeout) : policy;
    }

    private GraderPolicy readable(JsonNode section) {
        PolicyMembers.Read read = over(section);
        for (FieldError fault : read.faults()) {
            LOG.warn(
                    "A project's grader{} {}: the server's value is used",
                    fault.pointer(),
                    fault.message());
        }
        return read.policy();
    }

    private PolicyMembers.Read over(JsonNode section) {
        return PolicyMembers.over(properties.toPolicy(), section, properties.providers().keySet());
    }
}
