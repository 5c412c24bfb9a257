package io.countersign.artefact;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.countersign.kernel.Sha256;
import io.countersign.support.IntegrationTest;
import io.countersign.support.ServiceClient;
import io.countersign.support.ServiceClient.Answer;

import jakarta.servlet.MultipartConfigElement;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.simple.JdbcClient;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;

@IntegrationTest
class WorkspaceUploadIntegrationTests {
    private static final String PATH = "/v1/workspaces?project=upload/test";

    @Autowired ServiceClient client;
    @Autowired JdbcClient jdbc;
    @Autowired RunsDirectory runs;
    @Autowired MultipartConfigElement multipart;

    private int blobs() {
        return jdbc.sql("SELECT count(*) FROM blob WHERE project = 'upload/test'")
                .query(Integer.class)
                .single();
    }

    private Answer upload(byte[] archive) {
        return client.upload(PATH, "application/octet-stream", archive);
    }

    private void assertProblem(Answer answer, int status, String code, String detail) {
        assertThat(answer.status()).as(answer.toString()).isEqualTo(status);
        assertThat(answer.at("/code").asString()).isEqualTo(code);
        assertThat(answer.at("/detail").asString()).contains(detail);
        assertNothingIsLeft(runs);
    }

    static void assertNothingIsLeft(RunsDirectory runs) {
        assertThat(runs.own()).isDirectoryNotContaining(entry -> !entry.endsWith("parts"));
    }

    private static byte[] noise(int size) {
        byte[] bytes = new byte[size];
        new Random(9).nextBytes(bytes);
        return bytes;
    }

    @Test
    void partsOfRequestsPassThroughWhereAStartClearsAwayWhatIsLeft() {
        assertThat(Path.of(multipart.getLocation())).hasParent(runs.own()).isDirectory();
        assertThat(multipart.getMaxRequestSize()).as("the settings hold").isEqualTo(521L << 20);
    }

    @Test
    void answersDigestSizeAndFiles() {
        byte[] archive =
                Packing.gzip(new RawTar().file("a", noise(5 << 20), 0644).symlink("b", "a").end());
        for (int i = 0; i < 2; i++) {
            Answer answer = upload(archive);
            assertThat(answer.status()).as(answer.toString()).isEqualTo(201);
            assertThat(answer.at("/sha256").asString()).isEqualTo(Sha256.of(archive).hex());
            assertThat(answer.at("/bytes").intValue()).isEqualTo(archive.length);
            assertThat(answer.at("/files").intValue()).isEqualTo(2);
            assertThat(answer.json().size()).isEqualTo(3);
        }
        assertNothingIsLeft(runs);
    }

    @Test
    void anUploadIsInTheAuditOnceForOneIdempotencyKey() {
        byte[] archive = new RawTar().file("audited", noise(1000), 0644).end();
        String sha256 = Sha256.of(archive).hex();
        ServiceClient keyed = client.with("Idempotency-Key", "upload-once");

        Answer first = keyed.upload(PATH, "application/octet-stream", archive);
        Answer repeat = keyed.upload(PATH, "application/octet-stream", archive);
        Answer other =
                keyed.upload(
                        PATH,
                        "application/octet-stream",
                        new RawTar().file("other", noise(1000), 0644).end());

        assertThat(first.status()).as(first.toString()).isEqualTo(201);
        assertThat(repeat.text()).isEqualTo(first.text());
        assertThat(repeat.header("Idempotency-Replayed")).contains("true");
        assertThat(other.status()).isEqualTo(409);
        assertThat(
                        jdbc.sql(
                                        """
                                        select principal || ' ' || project || ' ' || action
                                        from audit_event where subject = :sha256
                                        """)
                                .param("sha256", sha256)
                                .query(String.class)
                                .list())
                .containsExactly("dev-orchestrator upload/test workspace.uploaded");
    }

    @Test
    void namesTheEntryOfARefusedArchive() {
        int before = blobs();
        assertProblem(
                upload(new RawTar().file("../../etc/cron.d/x", "x").end()),
                422,
                "path-escapes",
                "the entry \"../../etc/cron.d/x\" has a .. segment");
        assertProblem(
                upload("no archive".getBytes(StandardCharsets.UTF_8)),
                422,
                "archive-unreadable",
                "send .tar, .tar.gz, .tar.zst or .zip");
        assertProblem(
                upload(new RawTar().symlink("l", "/etc/passwd").end()),
                422,
                "archive-unsafe",
                "\"l\" is a symlink that leads outside the workspace");
        assertThat(blobs()).isEqualTo(before);
    }

    @Test
    void theContentTypeThatCurlSendsIsNoObstacle() {
        byte[] archive = Packing.zstd(new RawTar().file("a", noise(1000), 0644).end());
        Answer answer =
                client.upload(
                        "/v1/workspaces?project=upload%2Ftest",
                        "application/x-www-form-urlencoded", archive);
        assertThat(answer.status()).as(answer.toString()).isEqualTo(201);
        assertThat(answer.at("/sha256").asString()).isEqualTo(Sha256.of(archive).hex());
    }

    @Test
    void multipartIsNoArchive() {
        assertThat(client.upload(PATH, "multipart/form-data; boundary=x", noise(10)).status())
                .isIn(400, 415);
    }

    @Test
    void aProjectIsNeededAndHasToBeWithinReach() {
        byte[] archive = new RawTar().file("a", "x").end();
        assertThat(client.upload("/v1/workspaces", "application/x-tar", archive).status())
                .isEqualTo(422);
        assertThat(
                        client.upload("/v1/workspaces?project=a/b/c", "application/x-tar", archive)
                                .status())
                .isEqualTo(422);
        assertThat(client.anonymous().upload(PATH, "application/x-tar", archive).status())
                .isEqualTo(401);
        Answer created =
                client.as("dev-admin")
                        .post(
                                "/v1/principals",
                                Map.of(
                                        "id",
                                        "upload-reader",
                                        "kind",
                                        "ci",
                                        "roles",
                                        new String[] {"reader"},
                                        "projects",
                                        new String[] {"*"}));
        assertThat(created.status()).as(created.toString()).isEqualTo(201);
        String key =
                client.as("dev-admin")
                        .post("/v1/principals/upload-reader/keys", Map.of())
                        .at("/secret")
                        .asString();
        assertThat(client.as(key).upload(PATH, "application/x-tar", archive).status())
                .isEqualTo(403);
    }

    @Test
    void aTruncatedUploadLeavesNothing() throws IOException {
        int before = blobs();
        byte[] archive = new RawTar().file("a", noise(2 << 20), 0644).end();
        try (Socket socket = new Socket("127.0.0.1", client.uri("/").getPort())) {
            String head =
                    "POST "
                            + PATH
                            + " HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer"
                            + " dev-orchestrator\r\nContent-Type: application/x-tar\r\n"
                            + "Content-Length: "
                            + archive.length
                            + "\r\n\r\n";
            socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
            socket.getOutputStream().write(archive, 0, archive.length - 1000);
            socket.shutdownOutput();
            String answer =
                    new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(answer).startsWith("HTTP/1.1 400");
            assertThat(answer).contains("unreadable-request");
        }
        await().untilAsserted(() -> assertNothingIsLeft(runs));
        assertThat(blobs()).isEqualTo(before);
    }
}

@IntegrationTest(properties = "countersign.workspaces.max-archive=1MB")
class WorkspaceUploadLimitIntegrationTests {
    private static final String PATH = "/v1/workspaces?project=upload/limit";
    private static final int LARGE = 20 << 20;

    @Autowired ServiceClient client;
    @Autowired RunsDirectory runs;
    @Autowired JdbcClient jdbc;

    @Test
    void anArchiveOverTheLimitIs413WhetherItSaysSoOrNot() {
        Answer said = client.upload(PATH, "application/x-tar", new byte[LARGE]);
        assertThat(said.status()).as(said.toString()).isEqualTo(413);
        assertThat(said.at("/code").asString()).isEqualTo("too-large");
        assertThat(said.at("/detail").asString()).contains("1048576 bytes");
        Answer unsaid =
                client.send(
                        client.request(PATH)
                                .header("Content-Type", "application/x-tar")
                                .POST(
                                        BodyPublishers.ofInputStream(
                                                () -> new ByteArrayInputStream(new byte[LARGE]))));
        assertThat(unsaid.status()).as(unsaid.toString()).isEqualTo(413);
        WorkspaceUploadIntegrationTests.assertNothingIsLeft(runs);
        assertThat(jdbc.sql("SELECT count(*) FROM blob").query(Integer.class).single()).isZero();
    }
}
