package io.countersign.grader;

import org.springframework.test.context.DynamicPropertyRegistry;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.GZIPOutputStream;

/**
 * A provider on loopback that speaks one of the two wire formats down to the bytes, and misbehaves
 * as scripted. Replies are used in order, the last one for every further request.
 */
public final class FakeModelServer implements AutoCloseable {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    /** The wire formats. */
    public enum Wire {
        ANTHROPIC,
        OPENAI
    }

    /**
     * A request as it came over the wire.
     *
     * @param headers by lower-case name
     */
    public record Received(String line, Map<String, String> headers, JsonNode body) {
        /** System part and user part, as the model would read them. */
        public String prompt() {
            StringBuilder prompt = new StringBuilder(body.path("system").asString(""));
            body.path("messages")
                    .forEach(
                            message ->
                                    prompt.append('\n').append(message.path("content").asString()));
            return prompt.toString();
        }

        public String model() {
            return body.path("model").asString();
        }
    }

    /** What one request gets. */
    @FunctionalInterface
    public interface Reply {
        void serve(Received request, Connection connection)
                throws IOException, InterruptedException;
    }

    /** The server's end of a connection. */
    public final class Connection {
        private final Socket socket;
        private final InputStream in;
        private final OutputStream out;

        Connection(Socket socket, InputStream in) throws IOException {
            this.socket = socket;
            this.in = in;
            this.out = socket.getOutputStream();
        }

        public void respond(int status, Map<String, String> headers, byte[] body)
                throws IOException {
            head(status, headers, body.length);
            out.write(body);
            out.flush();
        }

        void head(int status, Map<String, String> headers, long length) throws IOException {
            StringBuilder head = new StringBuilder("HTTP/1.1 " + status + " Status\r\n");
            headers.forEach((name, value) -> head.append(name + ": " + value + "\r\n"));
            if (!headers.containsKey("Content-Type"))
                head.append("Content-Type: application/json\r\n");
            head.append("Content-Length: " + length + "\r\n\r\n");
            out.write(head.toString().getBytes(StandardCharsets.US_ASCII));
            out.flush();
        }

        void write(byte[] bytes) throws IOException {
            out.write(bytes);
            out.flush();
        }

        /** Closes as soon as the other side does, although this side only writes. */
        void endWithPeer() {
            executor.submit(
                    () -> {
                        awaitEnd();
                        socket.close();
                        return null;
                    });
        }

        /** Blocks until the other side closes. */
        void awaitEnd() throws IOException {
            while (in.read() >= 0) {}
        }

        void close() throws IOException {
            socket.close();
        }
    }

    private final Wire wire;
    private final ServerSocket server;
    private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
    private final ConcurrentLinkedQueue<Reply> replies = new ConcurrentLinkedQueue<>();
    private final List<Received> requests = new CopyOnWriteArrayList<>();
    private final AtomicInteger open = new AtomicInteger();
    private volatile Reply last = text("{\"pass\":false,\"reasons\":[\"nothing was scripted\"]}");

    private FakeModelServer(Wire wire) throws IOException {
        this.wire = wire;
        this.server = new ServerSocket(0, 2_000, InetAddress.getLoopbackAddress());
        executor.submit(this::accept);
    }

    public static FakeModelServer start(Wire wire) {
        try {
            return new FakeModelServer(wire);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** How long a model takes over its answer. */
    public static void think(long millis) throws InterruptedException {
        Thread.sleep(millis);
    }

    /** The settings that make this the provider {@code fake}. */
    public Map<String, String> settings() {
        String provider = "countersign.grader.providers.fake.";
        return Map.of(
                provider + "type",
                wire.name().toLowerCase(Locale.ROOT),
                provider + "base-url",
                baseUrl().toString(),
                provider + "api-key",
                TestGrader.KEY,
                provider + "backoff",
                "10ms");
    }

    /** Makes this the provider {@code fake} of the services that tests of a class get. */
    public void register(DynamicPropertyRegistry registry) {
        settings().forEach((key, value) -> registry.add(key, () -> value));
    }

    /** The base URL to configure. */
    public URI baseUrl() {
        String path = wire == Wire.OPENAI ? "/v1" : "";
        return URI.create("http://127.0.0.1:" + server.getLocalPort() + path);
    }

    /** Adds replies to the script. */
    public FakeModelServer then(Reply... more) {
        replies.addAll(List.of(more));
        return this;
    }

    public List<Received> requests() {
        return List.copyOf(requests);
    }

    /** Connections that neither side has closed. */
    public int open() {
        return open.get();
    }

    // Replies.

    public Reply text(String text) {
        return answer(text, null, null, null);
    }

    /**
     * @param model under which name it answers; null for the asked one
     * @param stopReason null for the ordinary one
     * @param reasoning text of a reasoning part; null for none
     */
    public Reply answer(String text, String model, String stopReason, String reasoning) {
        return (request, connection) ->
                connection.respond(
                        200, Map.of(), body(request, text, model, stopReason, reasoning));
    }

    public Reply status(int status, Map<String, String> headers, String body) {
        return (request, connection) ->
                connection.respond(status, headers, body.getBytes(StandardCharsets.UTF_8));
    }

    /** Never answers. */
    public Reply stall() {
        return (request, connection) -> connection.awaitEnd();
    }

    /** Headers and the beginning of a body, then a byte in a while, for ever. */
    public Reply trickle(String text, long millisPerByte) {
        return (request, connection) -> {
            byte[] body = body(request, text, null, null, null);
            connection.endWithPeer();
            connection.head(200, Map.of(), 1_000_000);
            for (int i = 0; ; i++) {
                connection.write(new byte[] {i < body.length ? body[i] : (byte) ' '});
                Thread.sleep(millisPerByte);
            }
        };
    }

    /** Closes in the middle of the body. */
    public Reply breakOff(String text) {
        return (request, connection) -> {
            byte[] body = body(request, text, null, null, null);
            connection.head(200, Map.of(), body.length);
            connection.write(java.util.Arrays.copyOf(body, body.length / 2));
            connection.close();
        };
    }

    public Reply gzipped(String text) {
        return (request, connection) -> {
            ByteArrayOutputStream packed = new ByteArrayOutputStream();
            try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
                gzip.write(body(request, text, null, null, null));
            }
            connection.respond(200, Map.of("Content-Encoding", "gzip"), packed.toByteArray());
        };
    }

    /** A body without an end. */
    public Reply endless() {
        return (request, connection) -> {
            connection.endWithPeer();
            connection.head(200, Map.of(), Long.MAX_VALUE);
            byte[] filler = " ".repeat(1 << 14).getBytes(StandardCharsets.US_ASCII);
            while (true) connection.write(filler);
        };
    }

    /** The wire format's own body. */
    public byte[] body(
            Received request, String text, String model, String stopReason, String reasoning) {
        String name = model == null ? request.model() : model;
        ObjectNode body = JSON.createObjectNode();
        body.put("id", wire == Wire.OPENAI ? "chatcmpl-1" : "msg_1").put("model", name);
        if (wire == Wire.ANTHROPIC) anthropic(body, text, stopReason, reasoning);
        else openAi(body, text, stopReason, reasoning);
        return JSON.writeValueAsBytes(body);
    }

    private static void anthropic(ObjectNode body, String text, String stop, String reasoning) {
        body.put("type", "message").put("role", "assistant");
        ArrayNode content = body.putArray("content");
        if (reasoning != null) {
            content.addObject().put("type", "thinking").put("thinking", reasoning);
        }
        content.addObject().put("type", "text").put("text", text);
        body.put("stop_reason", stop == null ? "end_turn" : stop).putNull("stop_sequence");
        body.putObject("usage").put("input_tokens", 1200).put("output_tokens", 34);
    }

    private static void openAi(ObjectNode body, String text, String stop, String reasoning) {
        body.put("object", "chat.completion").put("created", 1_760_000_000);
        ObjectNode choice = body.putArray("choices").addObject().put("index", 0);
        ObjectNode message = choice.putObject("message").put("role", "assistant");
        message.put("content", text);
        if (reasoning != null) message.put("reasoning_content", reasoning);
        String finish = stop == null ? "stop" : stop.equals("max_tokens") ? "length" : stop;
        choice.put("finish_reason", finish);
        body.putObject("usage").put("prompt_tokens", 1200).put("completion_tokens", 34);
    }

    // Plumbing.

    private void accept() {
        try {
            while (true) {
                Socket socket = server.accept();
                executor.submit(() -> serve(socket));
            }
        } catch (IOException e) {
            // Closed.
        }
    }

    private void serve(Socket socket) {
        open.incrementAndGet();
        try (socket) {
            InputStream in = new BufferedInputStream(socket.getInputStream());
            for (Received request = read(in); request != null; request = read(in)) {
                requests.add(request);
                Reply reply = replies.poll();
                if (reply != null) last = reply;
                last.serve(request, new Connection(socket, in));
            }
        } catch (IOException | InterruptedException e) {
            // The other side went away, as tests want it to.
        } finally {
            open.decrementAndGet();
        }
    }

    private static Received read(InputStream in) throws IOException {
        String line = line(in);
        if (line == null) return null;
        Map<String, String> headers = new TreeMap<>();
        for (String header = line(in); header != null && !header.isEmpty(); header = line(in)) {
            int colon = header.indexOf(':');
            headers.put(
                    header.substring(0, colon).toLowerCase(Locale.ROOT),
                    header.substring(colon + 1).strip());
        }
        byte[] body = in.readNBytes(Integer.parseInt(headers.getOrDefault("content-length", "0")));
        return new Received(line, headers, JSON.readTree(body));
    }

    private static String line(InputStream in) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int c = in.read(); c >= 0; c = in.read()) {
            if (c == '\n') return line.toString(StandardCharsets.US_ASCII).strip();
            line.write(c);
        }
        return line.size() == 0 ? null : line.toString(StandardCharsets.US_ASCII).strip();
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException e) {
            // Closed enough.
        }
        executor.shutdownNow();
    }
}
