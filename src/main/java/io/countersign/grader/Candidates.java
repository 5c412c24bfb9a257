package io.countersign.grader;

import io.countersign.grader.GradingRequest.Producer;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Which models may grade, in order, or why none may. */
sealed interface Candidates {
    /**
     * @param tier the tier that grades, the required one or the next above that has models
     * @param models at least one
     */
    record Chosen(Tier tier, List<ModelChoice> models) implements Candidates {
        public Chosen {
            models = List.copyOf(models);
        }
    }

    record NotConfigured(String reason) implements Candidates {}

    record NotIndependent(String reason) implements Candidates {}

    /**
     * @param makers the providers that can be asked, with the names of whoever stands behind each
     */
    static Candidates choose(
            GraderPolicy policy, Producer producer, Map<String, Set<String>> makers) {
        Tier required = Tier.required(producer.tier(), policy.minTier());
        for (Tier tier : required.andAbove()) {
            List<ModelChoice> models =
                    policy.tiers().of(tier).stream()
                            .filter(model -> makers.containsKey(model.provider()))
                            .toList();
            if (!models.isEmpty()) return independent(tier, models, policy, producer, makers);
        }
        return new NotConfigured(
                makers.isEmpty()
                        ? "no grader is configured"
                        : "no grader is configured for tier " + required.wire() + " or above");
    }

    private static Candidates independent(
            Tier tier,
            List<ModelChoice> models,
            GraderPolicy policy,
            Producer producer,
            Map<String, Set<String>> makers) {
        List<ModelChoice> fit = new ArrayList<>();
        String why = "";
        for (ModelChoice model : models) {
            String fault =
                    dependence(
                            policy.independence(),
                            producer.model(),
                            ModelIdentity.of(model.model())
                                    .with(makers.getOrDefault(model.provider(), Set.of())));
            if (fault == null) fit.add(model);
            else why = fault;
        }
        return fit.isEmpty()
                ? new NotIndependent("grader is not independent of the producer: " + why)
                : new Chosen(tier, fit);
    }

    /** Why a grader would not be independent; null when it is. */
    static @Nullable String dependence(
            Independence demanded, @Nullable String producerModel, ModelIdentity grader) {
        if (demanded == Independence.SESSION) return null;
        if (producerModel == null || producerModel.isBlank()) {
            return "the producer's model is not declared";
        }
        ModelIdentity producer = ModelIdentity.of(producerModel);
        if (producer.sameModel(grader)) return "it is the same model";
        if (demanded == Independence.MODEL) return null;
        if (producer.providers().isEmpty()) return "the producer's provider is not declared";
        return producer.sharesProvider(grader) ? "it is of the same provider" : null;
    }
}
