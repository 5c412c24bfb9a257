package io.countersign.grader;

import io.countersign.kernel.ProblemException.FieldError;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * Reads the {@code grader} member of a project's policy. A member that is absent or null keeps the
 * server's value; so does a faulty one, which is reported.
 */
final class PolicyMembers {
    private static final Set<String> KNOWN =
            Set.of(
                    "policy",
                    "minTier",
                    "temperature",
                    "timeoutMs",
                    "independence",
                    "evidence",
                    "tiers");

    private final JsonNode section;
    private final Set<String> providers;
    private final List<FieldError> faults = new ArrayList<>();

    private PolicyMembers(JsonNode section, Set<String> providers) {
        this.section = section;
        this.providers = providers;
    }

    /** The policy as far as it could be read, and what could not. */
    record Read(GraderPolicy policy, List<FieldError> faults) {
        Read {
            faults = List.copyOf(faults);
        }
    }

    /**
     * @param providers the configured names that tiers may use
     */
    static Read over(GraderPolicy server, JsonNode section, Set<String> providers) {
        return new PolicyMembers(section, providers).read(server);
    }

    private Read read(GraderPolicy server) {
        if (!section.isObject()) {
            return new Read(server, List.of(new FieldError("", "must be an object")));
        }
        section.propertyNames().stream()
                .filter(name -> !KNOWN.contains(name))
                .forEach(name -> fault("/" + name, "is not a member of grader"));
        member("policy", PolicyMembers::policy, "");
        GraderPolicy policy =
                new GraderPolicy(
                        member("minTier", PolicyMembers::tier, server.minTier()),
                        required("temperature", PolicyMembers::temperature, server.temperature()),
                        required("timeoutMs", PolicyMembers::timeout, server.timeout()),
                        required(
                                "independence",
                                value -> Independence.parse(text(value)),
                                server.independence()),
                        required(
                                "evidence",
                                value -> EvidenceRule.parse(text(value)),
                                server.evidence()),
                        required("tiers", this::tiers, server.tiers()));
        return new Read(policy, faults);
    }

    private <T> T required(String name, Function<JsonNode, T> reader, T server) {
        T value = member(name, reader, server);
        return value == null ? server : value;
    }

    private <T> @Nullable T member(String name, Function<JsonNode, T> reader, @Nullable T server) {
        JsonNode value = section.get(name);
        if (value == null || value.isNull()) return server;
        try {
            return reader.apply(value);
        } catch (IllegalArgumentException e) {
            fault("/" + name, String.valueOf(e.getMessage()));
            return server;
        }
    }

    private void fault(String pointer, String message) {
        faults.add(new FieldError(pointer, message));
    }

    private static String policy(JsonNode value) {
        if (text(value).equals(GraderProperties.POLICY)) return GraderProperties.POLICY;
        throw new IllegalArgumentException("must be " + GraderProperties.POLICY);
    }

    private static Tier tier(JsonNode value) {
        return Tier.parse(text(value));
    }

    private static double temperature(JsonNode value) {
        double number = value.isNumber() ? value.doubleValue() : -1;
        if (number >= 0 && number <= 2) return number;
        throw new IllegalArgumentException("must be a number from 0 to 2");
    }

    private static Duration timeout(JsonNode value) {
        long millis = value.isIntegralNumber() && value.canConvertToLong() ? value.longValue() : 0;
        if (millis > 0 && millis <= GraderProperties.LONGEST.toMillis()) {
            return Duration.ofMillis(millis);
        }
        throw new IllegalArgumentException("must be milliseconds, positive and at most 1800000");
    }

    private Tiers tiers(JsonNode value) {
        if (!value.isObject()) throw new IllegalArgumentException("must be an object");
        for (String name : value.propertyNames()) Tier.parse(name);
        return new Tiers(
                models(value.path("fast")),
                models(value.path("medium")),
                models(value.path("heavy")));
    }

    private List<ModelChoice> models(JsonNode value) {
        if (value.isMissingNode()) return List.of();
        if (!value.isArray()) throw new IllegalArgumentException("a tier must be a list");
        return value.valueStream().map(this::model).toList();
    }

    private ModelChoice model(JsonNode value) {
        ModelChoice choice =
                value.isObject()
                        ? new ModelChoice(text(value.path("model")), accepts(value.path("accepts")))
                        : ModelChoice.of(text(value));
        if (providers.contains(choice.provider())) return choice;
        throw new IllegalArgumentException("there is no provider " + choice.provider());
    }

    private static List<String> accepts(JsonNode value) {
        if (value.isMissingNode()) return List.of();
        if (!value.isArray()) throw new IllegalArgumentException("accepts must be a list");
        return value.valueStream().map(PolicyMembers::text).toList();
    }

    private static String text(JsonNode value) {
        if (value.isString()) return value.stringValue();
        throw new IllegalArgumentException("must be a string");
    }
}
