package io.countersign.support;

import org.jspecify.annotations.Nullable;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.MissingNode;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A caller of the service: a base address, a key, and headers. Immutable; {@link #as} and {@link
 * #with} answer changed copies. A body is a JSON text ({@code String}) or anything that Jackson
 * writes.
 */
public final class ServiceClient {
    public static final JsonMapper JSON = JsonMapper.shared();

    private static final HttpClient HTTP =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private final URI base;
    private final @Nullable String key;
    private final List<String> headers;

    private ServiceClient(URI base, @Nullable String key, List<String> headers) {
        this.base = base;
        this.key = key;
        this.headers = List.copyOf(headers);
    }

    /** The development orchestrator's client of a service on this machine. */
    public static ServiceClient at(int port) {
        return new ServiceClient(
                URI.create("http://127.0.0.1:" + port), "dev-orchestrator", List.of());
    }

    /** What the service answered. */
    public record Answer(HttpResponse<byte[]> response) {
        public int status() {
            return response.statusCode();
        }

        public Optional<String> header(String name) {
            return response.headers().firstValue(name);
        }

        public byte[] bytes() {
            return response.body();
        }

        public String text() {
            return new String(response.body(), java.nio.charset.StandardCharsets.UTF_8);
        }

        /** The body as JSON; a missing node when it is empty or none. */
        public JsonNode json() {
            try {
                return JSON.readTree(response.body());
            } catch (JacksonException e) {
                return MissingNode.getInstance();
            }
        }

        /** The member at a JSON pointer, for example {@code /verdict/pass}. */
        public JsonNode at(String pointer) {
            return json().at(pointer);
        }

        @Override
        public String toString() {
            return status() + " " + text();
        }
    }

    /** The same client with another key. */
    public ServiceClient as(String otherKey) {
        return new ServiceClient(base, otherKey, headers);
    }

    /** The same client without credentials. */
    public ServiceClient anonymous() {
        return new ServiceClient(base, null, headers);
    }

    /** The same client with one more header on every request. */
    public ServiceClient with(String header, String value) {
        List<String> more = new ArrayList<>(headers);
        more.add(header);
        more.add(value);
        return new ServiceClient(base, key, more);
    }

    public URI uri(String path) {
        return base.resolve(path);
    }

    public Answer get(String path) {
        return send(request(path).GET());
    }

    public Answer post(String path, Object body) {
        return send(json(path).POST(publisher(body)));
    }

    public Answer post(String path) {
        return send(request(path).POST(BodyPublishers.noBody()));
    }

    public Answer put(String path, Object body) {
        return send(json(path).PUT(publisher(body)));
    }

    public Answer delete(String path) {
        return send(request(path).DELETE());
    }

    /** Posts bytes as they are, for example an archive. */
    public Answer upload(String path, String contentType, byte[] body) {
        return send(
                request(path)
                        .header("Content-Type", contentType)
                        .POST(BodyPublishers.ofByteArray(body)));
    }

    /** A request with this client's address, key and headers, for what the verbs do not cover. */
    public HttpRequest.Builder request(String path) {
        HttpRequest.Builder builder = HttpRequest.newBuilder(uri(path)).timeout(PATIENCE);
        if (key != null) {
            builder.header("Authorization", "Bearer " + key);
        }
        for (int i = 0; i < headers.size(); i += 2) {
            builder.header(headers.get(i), headers.get(i + 1));
        }
        return builder;
    }

    public Answer send(HttpRequest.Builder request) {
        try {
            return new Answer(HTTP.send(request.build(), BodyHandlers.ofByteArray()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for the service", e);
        }
    }

    private HttpRequest.Builder json(String path) {
        return request(path).header("Content-Type", "application/json");
    }

    private static BodyPublisher publisher(Object body) {
        return body instanceof String text
                ? BodyPublishers.ofString(text)
                : BodyPublishers.ofByteArray(JSON.writeValueAsBytes(body));
    }
}
