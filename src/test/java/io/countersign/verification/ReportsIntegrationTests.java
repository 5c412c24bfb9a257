package io.countersign.verification;

import static org.assertj.core.api.Assertions.assertThat;

import io.countersign.grader.FakeModelServer;
import io.countersign.grader.FakeModelServer.Received;
import io.countersign.grader.FakeModelServer.Reply;
import io.countersign.grader.FakeModelServer.Wire;
import io.countersign.support.IntegrationTest;
import io.countersign.support.ServiceClient;
import io.countersign.support.ServiceClient.Answer;

import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

import tools.jackson.databind.JsonNode;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Public reports of gates, graders, runners and agents that went wrong, end to end: posted over
 * HTTP, run in the real sandbox, graded over a provider's real wire format where a grader is
 * needed, read back as a verdict.
 */
@IntegrationTest
@ExtendWith(OutputCaptureExtension.class)
class ReportsIntegrationTests {
    /** What a command of a case needs beyond the default allowlist. */
    private static final List<String> WIDENING = List.of("sh", "bash", "make", "setsid");

    private static final List<String> STORED_AND_SHOWN =
            List.of("verification", "check_result", "check_output", "verification_event");

    /** What the provider does with the requests of the case under way, in order. */
    private static final Deque<Reply> REPLIES = new ConcurrentLinkedDeque<>();

    private static final FakeModelServer PROVIDER =
            FakeModelServer.start(Wire.OPENAI)
                    .then((request, connection) -> nextReply().serve(request, connection));

    @Autowired ServiceClient client;
    @Autowired JdbcTemplate jdbc;

    @DynamicPropertySource
    static void provider(DynamicPropertyRegistry registry) {
        PROVIDER.register(registry);
        registry.add("countersign.grader.tiers.heavy", () -> "fake/judge");
    }

    @AfterAll
    static void closeProvider() {
        PROVIDER.close();
    }

    private static Reply nextReply() {
        Reply reply = REPLIES.size() > 1 ? REPLIES.poll() : REPLIES.peek();
        return reply == null ? PROVIDER.text("no reply was scripted") : reply;
    }

    static Stream<Arguments> cases() throws IOException {
        try (InputStream file =
                ReportsIntegrationTests.class.getResourceAsStream("/cases/reports.json")) {
            JsonNode cases = ServiceClient.JSON.readTree(Objects.requireNonNull(file));
            return cases
                    .valueStream()
                    .filter(report -> !report.at("/area").asString().equals("receipts"))
                    // Faults of the provider come last: they may open its circuit breaker.
                    .sorted(Comparator.comparing(ReportsIntegrationTests::breaksTheProvider))
                    .map(report -> Arguments.of(report.at("/id").asString(), report))
                    .toList()
                    .stream();
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void judgesAsReported(String id, JsonNode report, CapturedOutput log) {
        String project = "reports/" + id;
        configure(project, report);
        script(report.at("/input/graderReply"));
        int asked = PROVIDER.requests().size();
        Answer answer = post(project, report);
        assertJudged(report, answer);
        if (report.at("/input/steps").toString().contains("twice")) {
            assertJudged(report, post(project, report));
        }
        List<Received> prompts = PROVIDER.requests().subList(asked, PROVIDER.requests().size());
        boolean inferred = answer.at("/dod/source").asString().equals("inferred");
        if (!report.at("/input").has("graderReply") && !inferred) assertThat(prompts).isEmpty();
        report.at("/input/assertPrompt").forEach(rule -> assertPrompt(rule.asString(), prompts));
        String stored = storedFor(answer);
        for (JsonNode secret : report.at("/expect/mustNotContain")) {
            Pattern pattern = Pattern.compile(secret.asString());
            assertThat(stored).doesNotContainPattern(pattern);
            assertThat(log.getAll()).doesNotContainPattern(pattern);
        }
    }

    private static boolean breaksTheProvider(JsonNode report) {
        String reply = report.at("/input/graderReply").toString();
        return reply.contains("httpStatus") || reply.contains("stall");
    }

    private static void script(JsonNode replies) {
        REPLIES.clear();
        if (replies.isArray()) replies.forEach(reply -> REPLIES.add(reply(reply)));
        else if (replies.isObject()) REPLIES.add(reply(replies));
    }

    private static Reply reply(JsonNode reply) {
        if (reply.has("httpStatus")) {
            return PROVIDER.status(
                    reply.at("/httpStatus").asInt(), Map.of(), reply.at("/body").asString(""));
        }
        String text = reply.at("/text").asString("");
        if (reply.has("trickleBytesPerSecond")) {
            return PROVIDER.trickle(text, 1_000L / reply.at("/trickleBytesPerSecond").asInt());
        }
        if (reply.has("stall")) return PROVIDER.stall();
        return PROVIDER.answer(
                text, null, textOrNull(reply, "stopReason"), textOrNull(reply, "reasoningText"));
    }

    private static @Nullable String textOrNull(JsonNode node, String member) {
        return node.path(member).isString() ? node.path(member).asString() : null;
    }

    private static void assertPrompt(String rule, List<Received> prompts) {
        assertThat(prompts).isNotEmpty();
        String prompt = prompts.getFirst().prompt();
        switch (rule) {
            case "count of the real closing delimiter in the prompt equals 1" -> {
                var nonce = Pattern.compile("<<<COUNTERSIGN (\\w+) ").matcher(prompt);
                assertThat(nonce.find()).isTrue();
                assertThat(
                                prompt.split(
                                        "<<<COUNTERSIGN " + nonce.group(1) + " END ARTEFACT>>>",
                                        -1))
                        .as(prompt)
                        .hasSize(2);
            }
            case "if SENTINEL-VIOLATION is absent from the prompt, the prompt says that src/big.ts"
                            + " was cut and by how much" -> {
                if (!prompt.contains("SENTINEL-VIOLATION")) {
                    assertThat(prompt)
                            .containsPattern("src/big\\.ts")
                            .containsPattern("\\d+ bytes");
                }
            }
            default -> throw new IllegalArgumentException("unknown rule about the prompt: " + rule);
        }
    }

    private void configure(String project, JsonNode report) {
        Map<String, Object> policy = new LinkedHashMap<>();
        List<String> needs = report.at("/needs").valueStream().map(JsonNode::asString).toList();
        if (needs.stream().anyMatch(WIDENING::contains)) {
            List<String> allowlist =
                    new ArrayList<>(io.countersign.check.CommandPolicy.DEFAULT_ALLOWLIST);
            allowlist.addAll(WIDENING);
            policy.put("commands", Map.of("allowlist", allowlist));
        }
        JsonNode own = report.at("/input/policy");
        own.properties().forEach(section -> policy.put(section.getKey(), section.getValue()));
        if (policy.isEmpty()) return;
        Answer answer = client.as("dev-admin").put("/v1/projects/" + project, policy);
        assertThat(answer.status()).as(answer.toString()).isBetween(200, 299);
    }

    private Answer post(String project, JsonNode report) {
        JsonNode input = report.at("/input");
        Map<String, Object> request = new LinkedHashMap<>();
        request.put("project", project);
        request.put("dispatch", input.at("/dod").asString());
        request.put("producer", Map.of("id", "ses_1"));
        request.put(
                "artefact",
                Map.of(
                        "finalReturnText",
                        input.at("/finalReturnText").asString(""),
                        "changedFiles",
                        input.at("/changedFiles").valueStream().map(this::changed).toList()));
        request.put("limits", Map.of("checkTimeoutMs", 15_000, "graderTimeoutMs", 3_000));
        ServiceClient waiting = client.with("Prefer", "wait=60");
        if (needsArchive(input)) return multipart(waiting, request, input);
        Map<String, Object> files = new LinkedHashMap<>();
        input.at("/files")
                .properties()
                .forEach(file -> files.put(file.getKey(), text(file.getValue())));
        request.put("workspace", Map.of("files", files));
        return waiting.post("/v1/verifications", request);
    }

    private Object changed(JsonNode file) {
        return file.isString() ? Map.of("path", file.asString(), "status", "modified") : file;
    }

    private static boolean needsArchive(JsonNode input) {
        return input.has("postOpts")
                || input.at("/files").valueStream().anyMatch(file -> file.has("symlink"));
    }

    private static String text(JsonNode file) {
        if (file.isString()) return file.asString();
        return file.at("/repeat").asString().repeat(file.at("/times").asInt())
                + file.at("/then").asString("");
    }

    private static Answer multipart(
            ServiceClient client, Map<String, Object> request, JsonNode input) {
        String boundary = "----countersign";
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        String head = "--" + boundary + "\r\nContent-Disposition: form-data; name=";
        String json = ServiceClient.JSON.writeValueAsString(request);
        body.writeBytes(
                (head
                                + "\"request\"\r\nContent-Type: application/json\r\n\r\n"
                                + json
                                + "\r\n"
                                + head
                                + "\"workspace\"; filename=\"workspace.tar\"\r\n"
                                + "Content-Type: application/x-tar\r\n\r\n")
                        .getBytes(StandardCharsets.UTF_8));
        body.writeBytes(tar(input));
        body.writeBytes(("\r\n--" + boundary + "--\r\n").getBytes(StandardCharsets.UTF_8));
        return client.upload(
                "/v1/verifications",
                "multipart/form-data; boundary=" + boundary,
                body.toByteArray());
    }

    private static byte[] tar(JsonNode input) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (TarArchiveOutputStream tar = new TarArchiveOutputStream(bytes)) {
            for (Map.Entry<String, JsonNode> file : input.at("/files").properties()) {
                JsonNode content = file.getValue();
                if (content.has("symlink")) {
                    TarArchiveEntry link =
                            new TarArchiveEntry(file.getKey(), TarArchiveEntry.LF_SYMLINK);
                    link.setLinkName(content.at("/symlink").asString());
                    tar.putArchiveEntry(link);
                } else {
                    byte[] text = text(content).getBytes(StandardCharsets.UTF_8);
                    TarArchiveEntry entry = new TarArchiveEntry(file.getKey());
                    entry.setSize(text.length);
                    JsonNode mode = input.at("/postOpts/mode").path(file.getKey());
                    entry.setMode(mode.isString() ? Integer.parseInt(mode.asString(), 8) : 0644);
                    tar.putArchiveEntry(entry);
                    tar.write(text);
                }
                tar.closeArchiveEntry();
            }
            tar.finish();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private void assertJudged(JsonNode report, Answer answer) {
        JsonNode expect = report.at("/expect");
        boolean refused = answer.status() >= 400 && answer.status() < 500;
        if (!refused) assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        boolean accepted = !refused && answer.at("/accepted").asBoolean();
        if (!expect.at("/accepted").isNull()) {
            assertThat(accepted)
                    .as("%s%n%s", expect.at("/why").asString(), answer)
                    .isEqualTo(expect.at("/accepted").asBoolean());
        }
        if (!refused && expect.at("/verdict").asString().equals("PASS") && accepted) {
            assertThat(answer.at("/verdict/pass").asBoolean()).isTrue();
        }
        String said = said(answer);
        for (JsonNode mention : expect.at("/mustMention")) {
            assertThat(said)
                    .as("%s%n%s", expect.at("/why").asString(), answer)
                    .containsPattern(Pattern.compile(mention.asString(), Pattern.CASE_INSENSITIVE));
        }
    }

    /** Reasons, findings and evidence, or the problem document. */
    private static String said(Answer answer) {
        if (answer.status() >= 400) return answer.text();
        return answer.at("/verdict/reasons").toString()
                + answer.at("/verdict/findings")
                + answer.at("/verdict/evidence");
    }

    private String storedFor(Answer answer) {
        StringBuilder stored = new StringBuilder(answer.text());
        String id = answer.at("/id").asString("");
        if (id.isEmpty()) return stored.toString();
        for (String table : STORED_AND_SHOWN) {
            String column = table.equals("verification") ? "id" : "verification_id";
            jdbc.queryForList(
                            "SELECT row_to_json(t)::text FROM "
                                    + table
                                    + " t WHERE "
                                    + column
                                    + " = ?::uuid",
                            String.class,
                            id)
                    .forEach(stored::append);
        }
        return stored.toString();
    }
}
