package io.countersign.verification;

import static org.assertj.core.api.Assertions.assertThat;

import io.countersign.support.IntegrationTest;
import io.countersign.support.ServiceClient;
import io.countersign.support.ServiceClient.Answer;

import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.jdbc.core.JdbcTemplate;

import tools.jackson.databind.JsonNode;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Public reports of gates, runners and agents that went wrong, end to end: posted over HTTP, run in
 * the real sandbox, read back as a verdict.
 */
@IntegrationTest
@ExtendWith(OutputCaptureExtension.class)
class ReportsIntegrationTests {
    /** What a command of a case needs beyond the default allowlist. */
    private static final List<String> WIDENING = List.of("sh", "bash", "make", "setsid");

    private static final List<String> STORED_AND_SHOWN =
            List.of("verification", "check_result", "check_output", "verification_event");

    @Autowired ServiceClient client;
    @Autowired JdbcTemplate jdbc;

    static Stream<Arguments> cases() throws IOException {
        try (InputStream file =
                ReportsIntegrationTests.class.getResourceAsStream("/cases/reports.json")) {
            JsonNode cases = ServiceClient.JSON.readTree(Objects.requireNonNull(file));
            return cases
                    .valueStream()
                    .filter(report -> !report.at("/input").has("graderReply"))
                    .filter(report -> !report.at("/area").asString().equals("receipts"))
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
        Answer answer = post(project, report);
        assertJudged(report, answer);
        if (report.at("/input/steps").toString().contains("twice")) {
            assertJudged(report, post(project, report));
        }
        String stored = storedFor(answer);
        for (JsonNode secret : report.at("/expect/mustNotContain")) {
            Pattern pattern = Pattern.compile(secret.asString());
            assertThat(stored).doesNotContainPattern(pattern);
            assertThat(log.getAll()).doesNotContainPattern(pattern);
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
        request.put("limits", Map.of("checkTimeoutMs", 15_000));
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
