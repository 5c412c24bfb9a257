package io.countersign.grader.provider;

import io.github.resilience4j.bulkhead.BulkheadRegistry;
import io.github.resilience4j.circuitbreaker.CircuitBreakerRegistry;
import io.github.resilience4j.retry.RetryRegistry;
import io.github.resilience4j.timelimiter.TimeLimiterRegistry;
import io.opentelemetry.context.Context;

import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.http.converter.ByteArrayHttpMessageConverter;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.support.RestClientAdapter;
import org.springframework.web.service.invoker.HttpServiceProxyFactory;

import java.net.http.HttpClient;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/** The providers that are set, by their configured names. Closing ends every exchange. */
public final class Providers implements AutoCloseable {
    private final Map<String, Provider> providers = new LinkedHashMap<>();
    private final List<HttpClient> httpClients = new ArrayList<>();
    private final ExecutorService executor;

    /**
     * What providers need of their surroundings.
     *
     * @param rest a fresh builder for each provider
     * @param threads makes virtual threads, a few for each exchange
     */
    public record Edge(
            Supplier<RestClient.Builder> rest,
            RetryRegistry retries,
            TimeLimiterRegistry timeLimiters,
            BulkheadRegistry bulkheads,
            CircuitBreakerRegistry circuitBreakers,
            InstantSource clock,
            RandomGenerator random,
            ThreadFactory threads) {}

    public Providers(Map<String, ProviderSettings> settings, Edge edge) {
        // An exchange belongs to the trace of whoever asks.
        this.executor = Context.taskWrapping(Executors.newThreadPerTaskExecutor(edge.threads()));
        settings.forEach(
                (name, provider) -> {
                    if (provider.isSet()) providers.put(name, provider(name, provider, edge));
                });
    }

    /** The names that can be asked. */
    public Set<String> names() {
        return Set.copyOf(providers.keySet());
    }

    public Optional<Provider> find(String name) {
        return Optional.ofNullable(providers.get(name));
    }

    @Override
    public void close() {
        executor.shutdownNow();
        httpClients.forEach(HttpClient::shutdownNow);
    }

    private Provider provider(String name, ProviderSettings settings, Edge edge) {
        Guards.Registries registries =
                new Guards.Registries(
                        edge.retries(),
                        edge.timeLimiters(),
                        edge.bulkheads(),
                        edge.circuitBreakers());
        return new ResilientProvider(
                client(settings, edge),
                Guards.of(name, settings, registries),
                new Backoff(settings.backoff(), settings.maxBackoff()),
                executor,
                edge.clock(),
                edge.random());
    }

    private AdaptiveClient client(ProviderSettings settings, Edge edge) {
        ApiKey key = settings.apiKey();
        Responses responses = new Responses(key == null ? "" : key.secret(), edge.clock());
        RestClient.Builder rest = rest(settings, edge);
        ModelClient client =
                switch (settings.wire()) {
                    case ANTHROPIC ->
                            new AnthropicClient(
                                    proxy(anthropic(rest, key), AnthropicClient.Api.class),
                                    responses,
                                    settings.maxOutputTokens());
                    case OPENAI ->
                            new OpenAiClient(
                                    proxy(openAi(rest, key), OpenAiClient.Api.class),
                                    responses,
                                    settings.maxOutputTokens());
                };
        return new AdaptiveClient(client, new Form(true, settings.structuredOutput(), false));
    }

    private RestClient.Builder rest(ProviderSettings settings, Edge edge) {
        HttpClient http =
                HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .followRedirects(HttpClient.Redirect.NEVER)
                        .connectTimeout(settings.connectTimeout())
                        .executor(executor)
                        .build();
        httpClients.add(http);
        return edge.rest()
                .get()
                .baseUrl(settings.address())
                .requestFactory(new JdkClientHttpRequestFactory(http, executor))
                // The application's converters are made for callers' requests.
                .configureMessageConverters(
                        converters ->
                                converters.configureMessageConvertersList(
                                        list -> {
                                            list.clear();
                                            list.add(new ByteArrayHttpMessageConverter());
                                        }))
                .requestInterceptor(new BoundedResponses(settings.maxResponse().toBytes()))
                .defaultStatusHandler(HttpStatusCode::isError, (request, response) -> {});
    }

    private static RestClient anthropic(RestClient.Builder rest, @Nullable ApiKey key) {
        rest.defaultHeader("anthropic-version", "2023-06-01");
        if (key != null) rest.defaultHeader("x-api-key", key.secret());
        return rest.build();
    }

    private static RestClient openAi(RestClient.Builder rest, @Nullable ApiKey key) {
        if (key != null) rest.defaultHeaders(headers -> headers.setBearerAuth(key.secret()));
        return rest.build();
    }

    private static <T> T proxy(RestClient rest, Class<T> api) {
        return HttpServiceProxyFactory.builderFor(RestClientAdapter.create(rest))
                .build()
                .createClient(api);
    }
}
