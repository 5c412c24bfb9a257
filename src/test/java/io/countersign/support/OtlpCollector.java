package io.countersign.support;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.trace.v1.ResourceSpans;
import io.opentelemetry.proto.trace.v1.ScopeSpans;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;

/** A collector on loopback that takes OTLP over HTTP and keeps the spans. */
public final class OtlpCollector implements AutoCloseable {
    private static final HexFormat HEX = HexFormat.of();

    /**
     * A span as it came.
     *
     * @param parent empty for a root
     */
    public record Span(
            String trace, String id, String parent, String name, Map<String, String> attributes) {
        public String attribute(String key) {
            return attributes.getOrDefault(key, "");
        }
    }

    private final HttpServer server;
    private final List<Span> spans = new CopyOnWriteArrayList<>();

    private OtlpCollector(HttpServer server) {
        this.server = server;
    }

    public static OtlpCollector start() {
        try {
            HttpServer server =
                    HttpServer.create(
                            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            OtlpCollector collector = new OtlpCollector(server);
            server.createContext("/v1/traces", collector::take);
            server.start();
            return collector;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public String endpoint() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/v1/traces";
    }

    public List<Span> spans(String trace) {
        return spans.stream().filter(span -> span.trace().equals(trace)).toList();
    }

    public List<Span> all() {
        return List.copyOf(spans);
    }

    private void take(HttpExchange exchange) throws IOException {
        try (exchange) {
            ExportTraceServiceRequest request =
                    ExportTraceServiceRequest.parseFrom(exchange.getRequestBody());
            for (ResourceSpans resource : request.getResourceSpansList()) {
                for (ScopeSpans scope : resource.getScopeSpansList()) {
                    scope.getSpansList().forEach(span -> spans.add(read(span)));
                }
            }
            exchange.getResponseHeaders().add("Content-Type", "application/x-protobuf");
            exchange.sendResponseHeaders(200, -1);
        }
    }

    private static Span read(io.opentelemetry.proto.trace.v1.Span span) {
        return new Span(
                HEX.formatHex(span.getTraceId().toByteArray()),
                HEX.formatHex(span.getSpanId().toByteArray()),
                HEX.formatHex(span.getParentSpanId().toByteArray()),
                span.getName(),
                span.getAttributesList().stream()
                        .collect(
                                Collectors.toMap(
                                        KeyValue::getKey,
                                        attribute -> attribute.getValue().getStringValue(),
                                        (one, other) -> other)));
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
