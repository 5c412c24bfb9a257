package io.countersign.grader;

import io.countersign.grader.provider.ApiKey;
import io.countersign.grader.provider.ProviderSettings;
import io.countersign.grader.provider.ProviderType;

import org.springframework.util.unit.DataSize;

import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * The provider that the live lane asks: Anthropic where its key is set, else OpenCode Zen. An empty
 * variable counts as unset.
 *
 * @param model {@code provider/model}
 */
record LiveProvider(String model, ProviderSettings settings) {
    static Optional<LiveProvider> of(Map<String, String> environment) {
        String model = environment.getOrDefault("COUNTERSIGN_SMOKE_MODEL", "").strip();
        String anthropic = environment.getOrDefault("ANTHROPIC_API_KEY", "").strip();
        if (!anthropic.isEmpty()) {
            return Optional.of(
                    new LiveProvider(
                            "live/" + (model.isEmpty() ? "claude-haiku-4-5" : model),
                            settings(ProviderType.ANTHROPIC, null, anthropic)));
        }
        String openCode = environment.getOrDefault("OPENCODE_API_KEY", "").strip();
        if (!openCode.isEmpty()) {
            return Optional.of(
                    new LiveProvider(
                            "live/" + (model.isEmpty() ? "glm-4.6" : model),
                            settings(
                                    ProviderType.OPENAI,
                                    URI.create("https://opencode.ai/zen/v1"),
                                    openCode)));
        }
        return Optional.empty();
    }

    private static ProviderSettings settings(ProviderType type, URI baseUrl, String key) {
        return new ProviderSettings(
                type,
                baseUrl,
                new ApiKey(key),
                true,
                4_096,
                4,
                DataSize.ofMegabytes(1),
                Duration.ofSeconds(10),
                4,
                Duration.ofMillis(500),
                Duration.ofSeconds(10));
    }
}
