package io.countersign.support;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** The service as a process of its own, from this build's classes, on a Postgres of the caller. */
public final class ServiceProcess implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private final Process process;
    private final int port;
    private final Duration startUp;

    private ServiceProcess(Process process, int port, Duration startUp) {
        this.process = process;
        this.port = port;
        this.startUp = startUp;
    }

    /**
     * Starts it with the development keys, and waits until it is ready.
     *
     * @param url the JDBC address of a database; its user and password are {@code postgres} unless
     *     the settings say otherwise
     * @param log the file that gets what the service prints
     * @param jvm more options of the JVM; they may name another class path
     * @param settings more settings of the service
     * @throws IllegalStateException when it ends or is not ready within five minutes
     */
    public static ServiceProcess start(
            String url, Path log, List<String> jvm, Map<String, String> settings)
            throws IOException, InterruptedException {
        int port = freePort();
        List<String> command = new ArrayList<>();
        command.add(ProcessHandle.current().info().command().orElse("java"));
        command.add("--enable-native-access=ALL-UNNAMED");
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.addAll(jvm);
        command.add("io.countersign.Countersign");
        command.add("--server.port=" + port);
        command.add("--server.address=127.0.0.1");
        command.add("--countersign.local.active=true");
        command.add("--spring.datasource.url=" + url);
        Map<String, String> all = new LinkedHashMap<>();
        all.put("spring.datasource.username", "postgres");
        all.put("spring.datasource.password", "postgres");
        all.putAll(settings);
        all.forEach((key, value) -> command.add("--" + key + "=" + value));
        long begun = System.nanoTime();
        Process process =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                        .start();
        ServiceProcess service = new ServiceProcess(process, port, Duration.ZERO);
        service.awaitReady(begun);
        return new ServiceProcess(process, port, Duration.ofNanos(System.nanoTime() - begun));
    }

    private void awaitReady(long begun) throws InterruptedException {
        HttpClient http = HttpClient.newHttpClient();
        HttpRequest probe =
                HttpRequest.newBuilder(uri("/actuator/health/readiness"))
                        .timeout(Duration.ofSeconds(2))
                        .build();
        while (System.nanoTime() - begun < PATIENCE.toNanos() && process.isAlive()) {
            try {
                if (http.send(probe, HttpResponse.BodyHandlers.discarding()).statusCode() == 200) {
                    return;
                }
            } catch (IOException e) {
                TimeUnit.MILLISECONDS.sleep(25);
            }
        }
        process.destroyForcibly();
        throw new IllegalStateException("the service did not become ready; see its log");
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    public int port() {
        return port;
    }

    public URI uri(String path) {
        return URI.create("http://127.0.0.1:" + port + path);
    }

    public Duration startUp() {
        return startUp;
    }

    /** Resident memory in MiB, and the number of threads. */
    public Map<String, Long> footprint() throws IOException {
        Map<String, String> status =
                Files.readAllLines(Path.of("/proc/" + process.pid() + "/status")).stream()
                        .map(line -> line.split(":\\s*", 2))
                        .filter(pair -> pair.length == 2)
                        .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1]));
        long kib = Long.parseLong(status.get("VmRSS").replace("kB", "").strip());
        return Map.of(
                "rssMiB", kib / 1024, "threads", Long.parseLong(status.get("Threads").strip()));
    }

    /** Kills it at once, as a crash would: {@code kill -9}. */
    public void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /**
     * Asks it to end, as an orchestrator does before it starts another: {@code SIGTERM}.
     *
     * @throws IllegalStateException when it has not ended after {@code patience}; it is killed then
     */
    public void stop(Duration patience) throws InterruptedException {
        process.destroy();
        if (!process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)) {
            kill();
            throw new IllegalStateException("the service had not ended after " + patience);
        }
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(30, TimeUnit.SECONDS)) process.destroyForcibly();
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
