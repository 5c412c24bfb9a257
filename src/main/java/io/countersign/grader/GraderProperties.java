package io.countersign.grader;

import io.countersign.grader.provider.ProviderSettings;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * {@code countersign.grader.*}.
 *
 * @param policy the only one there is: {@code at-least-producer-tier}
 * @param minTier the lowest tier that grades; null for none
 * @param temperature pinned for every call, 0 to 2
 * @param timeout of one turn with a model, at most 30 minutes
 * @param independence how far a grader must stand from the producer
 * @param evidence whether a pass must quote what it rests on
 * @param promptBudget of the artefact in a prompt, 16 KB to 4 MB
 * @param tiers the models of each tier, tried in order
 * @param providers the providers by the name that tiers use
 */
@ConfigurationProperties("countersign.grader")
record GraderProperties(
        @DefaultValue(POLICY) String policy,
        @Nullable Tier minTier,
        @DefaultValue("0") double temperature,
        @DefaultValue("60s") Duration timeout,
        @DefaultValue("session") Independence independence,
        @DefaultValue("optional") EvidenceRule evidence,
        @DefaultValue("200KB") DataSize promptBudget,
        @DefaultValue Tiers tiers,
        @DefaultValue Map<String, ProviderSettings> providers) {
    static final String POLICY = "at-least-producer-tier";
    static final Duration LONGEST = Duration.ofMinutes(30);
    private static final String PREFIX = "countersign.grader.";

    GraderProperties {
        providers = Map.copyOf(providers);
        List<String> faults = new ArrayList<>();
        if (!policy.equals(POLICY)) faults.add(PREFIX + "policy must be " + POLICY);
        if (!(temperature >= 0 && temperature <= 2)) {
            faults.add(PREFIX + "temperature must be 0 to 2");
        }
        if (!timeout.isPositive() || timeout.compareTo(LONGEST) > 0) {
            faults.add(PREFIX + "timeout must be positive and at most 30m");
        }
        if (promptBudget.toKilobytes() < 16 || promptBudget.toMegabytes() > 4) {
            faults.add(PREFIX + "prompt-budget must be 16KB to 4MB");
        }
        providers.forEach(
                (name, settings) -> faults.addAll(settings.faults(PREFIX + "providers." + name)));
        for (Tier tier : Tier.values()) faults.addAll(unknown(tier, tiers, providers));
        if (!faults.isEmpty()) throw new IllegalArgumentException(String.join("; ", faults));
    }

    private static List<String> unknown(
            Tier tier, Tiers tiers, Map<String, ProviderSettings> providers) {
        List<String> faults = new ArrayList<>();
        List<ModelChoice> models = tiers.of(tier);
        for (int i = 0; i < models.size(); i++) {
            String provider = models.get(i).provider();
            if (!providers.containsKey(provider)) {
                faults.add(
                        PREFIX
                                + "tiers."
                                + tier.wire()
                                + "["
                                + i
                                + "] names the provider "
                                + provider
                                + ", which is not under "
                                + PREFIX
                                + "providers");
            }
        }
        return faults;
    }

    GraderPolicy toPolicy() {
        return new GraderPolicy(minTier, temperature, timeout, independence, evidence, tiers);
    }
}
