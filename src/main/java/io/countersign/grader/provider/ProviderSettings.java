package io.countersign.grader.provider;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;

/**
 * One provider as configured.
 *
 * @param type the wire format
 * @param baseUrl where it listens; null takes the vendor's own address. For {@code openai} it
 *     includes the version, for example {@code http://127.0.0.1:11434/v1}
 * @param apiKey null for a server that asks for none, which needs a {@code baseUrl}; a blank one
 *     (an empty variable) leaves the whole provider unset
 * @param structuredOutput whether to send the reply's JSON schema; a provider that refuses it is
 *     asked again without
 * @param maxOutputTokens bound on the model's output, thinking included
 * @param maxConcurrent gradings that may wait on this provider at once; the others queue
 * @param maxResponse the largest response that is read
 * @param connectTimeout for opening a connection
 * @param attempts how often one turn is tried at most, the first time included
 * @param backoff the pause before the second attempt, doubled for each further one, with jitter
 * @param maxBackoff the longest pause of our own; a longer {@code Retry-After} is honoured as long
 *     as the gate's budget allows
 */
public record ProviderSettings(
        @Nullable ProviderType type,
        @Nullable URI baseUrl,
        @Nullable ApiKey apiKey,
        @DefaultValue("true") boolean structuredOutput,
        @DefaultValue("8192") int maxOutputTokens,
        @DefaultValue("1000") int maxConcurrent,
        @DefaultValue("2MB") DataSize maxResponse,
        @DefaultValue("10s") Duration connectTimeout,
        @DefaultValue("4") int attempts,
        @DefaultValue("500ms") Duration backoff,
        @DefaultValue("10s") Duration maxBackoff) {

    /** What is wrong with it, each message beginning with the full key. */
    public List<String> faults(String prefix) {
        List<String> faults = new ArrayList<>();
        if (type == null) faults.add(prefix + ".type must be anthropic or openai");
        if (baseUrl != null && !isHttp(baseUrl)) {
            faults.add(prefix + ".base-url must be an absolute http or https address");
        }
        if (apiKey != null && !apiKey.secret().chars().allMatch(c -> c > ' ' && c < 0x7F)) {
            faults.add(prefix + ".api-key holds a character that no HTTP header can carry");
        }
        positive(faults, prefix + ".max-output-tokens", maxOutputTokens);
        positive(faults, prefix + ".max-concurrent", maxConcurrent);
        positive(faults, prefix + ".attempts", attempts);
        positive(faults, prefix + ".max-response", maxResponse.toBytes());
        if (maxResponse.toBytes() > Integer.MAX_VALUE / 2) {
            faults.add(prefix + ".max-response must be under 1GB");
        }
        positive(faults, prefix + ".connect-timeout", connectTimeout.toMillis());
        positive(faults, prefix + ".backoff", backoff.toMillis());
        positive(faults, prefix + ".max-backoff", maxBackoff.toMillis());
        return faults;
    }

    private static void positive(List<String> faults, String key, long value) {
        if (value <= 0) faults.add(key + " must be positive");
    }

    private static boolean isHttp(URI uri) {
        boolean scheme =
                "http".equalsIgnoreCase(uri.getScheme())
                        || "https".equalsIgnoreCase(uri.getScheme());
        return scheme && uri.getHost() != null && uri.getUserInfo() == null;
    }

    /** The wire format, once {@link #faults} found none. */
    ProviderType wire() {
        return Objects.requireNonNull(type, "type");
    }

    /** The address that paths are appended to, without a slash at its end. */
    String address() {
        String address = baseUrl == null ? wire().address() : baseUrl.toString();
        while (address.endsWith("/")) address = address.substring(0, address.length() - 1);
        // The Messages path carries the version itself.
        boolean versioned = wire() == ProviderType.ANTHROPIC && address.endsWith("/v1");
        return versioned ? address.substring(0, address.length() - "/v1".length()) : address;
    }

    /** Who answers under this name, as far as the configuration tells. */
    public Set<String> makers(String name) {
        boolean vendor = wire() == ProviderType.ANTHROPIC || baseUrl == null;
        String wire = wire().name().toLowerCase(Locale.ROOT);
        String own = name.toLowerCase(Locale.ROOT);
        return vendor && !own.equals(wire) ? Set.of(own, wire) : Set.of(own);
    }

    /** Whether it can be asked at all: an empty variable counts as unset. */
    public boolean isSet() {
        return apiKey == null ? baseUrl != null : !apiKey.isBlank();
    }
}
