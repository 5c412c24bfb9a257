package io.countersign.grader;

import io.countersign.grader.provider.ProviderSettings;
import io.countersign.grader.provider.Providers;
import io.countersign.kernel.Ids;
import io.countersign.kernel.Spans;
import io.github.resilience4j.bulkhead.BulkheadRegistry;
import io.github.resilience4j.circuitbreaker.CircuitBreakerRegistry;
import io.github.resilience4j.retry.RetryRegistry;
import io.github.resilience4j.timelimiter.TimeLimiterRegistry;
import io.micrometer.core.instrument.MeterRegistry;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.client.RestClient;

import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;

/** Wires the grader. Without a provider it is there all the same, and fails closed. */
@Configuration(proxyBeanMethods = false)
class GraderConfiguration {
    private static final Logger LOG = LoggerFactory.getLogger(GraderConfiguration.class);

    @Bean
    Providers graderProviders(
            GraderProperties properties,
            ObjectProvider<RestClient.Builder> rest,
            RetryRegistry retries,
            TimeLimiterRegistry timeLimiters,
            BulkheadRegistry bulkheads,
            CircuitBreakerRegistry circuitBreakers,
            InstantSource clock) {
        Providers providers =
                new Providers(
                        properties.providers(),
                        new Providers.Edge(
                                rest::getObject,
                                retries,
                                timeLimiters,
                                bulkheads,
                                circuitBreakers,
                                clock,
                                new SecureRandom(),
                                Thread.ofVirtual().name("grader-", 0).factory()));
        announce(properties, providers.names());
        return providers;
    }

    @Bean
    Grader grader(
            GraderProperties properties,
            Providers graderProviders,
            Ids ids,
            InstantSource clock,
            MeterRegistry meters,
            Spans spans) {
        return new ObservedGrader(
                new IndependentGrader(
                        makers(properties, graderProviders.names()),
                        name ->
                                new TracedProvider(
                                        name, graderProviders.find(name).orElseThrow(), spans),
                        (int) properties.promptBudget().toBytes(),
                        ids,
                        nonces(new SecureRandom()),
                        clock),
                meters);
    }

    private static java.util.function.Supplier<String> nonces(SecureRandom random) {
        return () -> {
            byte[] bytes = new byte[16];
            random.nextBytes(bytes);
            return HexFormat.of().formatHex(bytes);
        };
    }

    private static Map<String, Set<String>> makers(GraderProperties properties, Set<String> names) {
        Map<String, Set<String>> makers = new HashMap<>();
        for (String name : names) {
            ProviderSettings settings = properties.providers().get(name);
            if (settings != null) makers.put(name, settings.makers(name));
        }
        return makers;
    }

    private static void announce(GraderProperties properties, Set<String> names) {
        if (names.isEmpty()) {
            LOG.info("No grader is configured: criteria fail closed until one is");
        }
        properties.providers().keySet().stream()
                .filter(name -> !names.contains(name))
                .forEach(name -> LOG.warn("The grader provider {} has no API key: unset", name));
    }
}
