package io.countersign.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.countersign.support.IntegrationTest;
import io.countersign.support.Lanes;
import io.countersign.support.ServiceClient;
import io.countersign.support.ServiceClient.Answer;
import io.countersign.support.ServiceProcess;
import io.countersign.support.Work;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.jdbc.core.JdbcTemplate;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * The commands of docs/operations.md, "Backup and restore", on a running service: what was attested
 * still verifies, what was spent stays spent. Needs PostgreSQL's client programs, of the server's
 * version or newer, on the PATH or in {@code COUNTERSIGN_TEST_PG_BIN}.
 */
@IntegrationTest(properties = "countersign.signing.kek=" + BackupIntegrationTests.KEK)
class BackupIntegrationTests {
    static final String KEK = "QmFja3VwLWFuZC1yZXN0b3JlLWtleS0wMTIzNDU2Nzg=";
    private static final String OTHER_KEK = "TGUgbWF1dmFpc2UgY2xlLCAzMiBvY3RldHMgZGUgbG9uZyE=";
    private static final byte[] ED25519 = HexFormat.of().parseHex("302a300506032b6570032100");

    @Autowired ServiceClient client;
    @Autowired JdbcTemplate jdbc;

    @Value("${spring.datasource.url}")
    String url;

    @Value("${spring.datasource.username}")
    String user;

    @Value("${spring.datasource.password}")
    String password;

    @TempDir Path directory;

    private final String project = "backup/" + UUID.randomUUID();

    @Test
    void aRestoredDatabaseVerifiesWhatWasAttestedAndKeepsWhatWasSpent() throws Exception {
        demandPrograms();
        Answer spent = accepted("one");
        Answer unspent = accepted("two");
        assertThat(consume(client, spent).status()).isEqualTo(200);
        JsonNode keys = client.get("/.well-known/jwks.json").json();
        client.as("dev-admin").post("/v1/signing-keys/rotate");

        Path dump = directory.resolve("countersign.dump");
        String restored = database() + "_restored";
        program("pg_dump", "--format=custom", "--file=" + dump, database());
        program("createdb", restored);
        program("pg_restore", "--exit-on-error", "--dbname=" + restored, dump.toString());

        try (ServiceProcess service = start(restored, KEK)) {
            ServiceClient there = ServiceClient.at(service.port());
            for (Answer before : List.of(spent, unspent)) {
                String path = "/v1/verifications/" + id(before) + "/attestation";
                JsonNode envelope = there.get(path).json();
                assertThat(envelope).isEqualTo(client.get(path).json());
                assertThat(verifies(envelope, keys)).isTrue();
                assertThat(verifies(envelope, there.get("/.well-known/jwks.json").json())).isTrue();
                assertThat(there.get("/v1/verifications/" + id(before)).at("/verdict"))
                        .isEqualTo(before.at("/verdict"));
            }
            assertThat(consume(there, spent).at("/code").asString()).isEqualTo("receipt-replayed");
            assertThat(consume(there, unspent).status()).isEqualTo(200);
            assertThat(consume(there, unspent).at("/code").asString())
                    .isEqualTo("receipt-replayed");
            Answer fresh = accepted(there, "three");
            assertThat(
                            verifies(
                                    there.get("/v1/verifications/" + id(fresh) + "/attestation")
                                            .json(),
                                    there.get("/.well-known/jwks.json").json()))
                    .as("the restored key signs")
                    .isTrue();
        }
        assertThatThrownBy(() -> start(restored, OTHER_KEK).close())
                .isInstanceOf(IllegalStateException.class);
        assertThat(directory.resolve("service.log")).content().contains("countersign.signing.kek");
    }

    private Answer accepted(String text) {
        return accepted(client, text);
    }

    private Answer accepted(ServiceClient service, String text) {
        Answer answer =
                service.as("dev-ci")
                        .with("Prefer", "wait=60")
                        .post(
                                "/v1/verifications",
                                Work.added(project, "check: fileExists path=a.txt", text));
        assertThat(answer.at("/receipt/id").asString("")).as("%s", answer).isNotEmpty();
        return answer;
    }

    private static Answer consume(ServiceClient service, Answer verified) {
        return service.as("dev-ci")
                .post(
                        "/v1/receipts/" + verified.at("/receipt/id").asString() + "/consume",
                        Map.of(
                                "changeSet",
                                Map.of("sha256", verified.at("/changeSet/sha256").asString())));
    }

    private static String id(Answer verified) {
        return verified.at("/id").asString();
    }

    private ServiceProcess start(String database, String kek)
            throws IOException, InterruptedException {
        return ServiceProcess.start(
                url.replace("/" + database(), "/" + database),
                directory.resolve("service.log"),
                List.of(),
                Map.of(
                        "spring.datasource.username",
                        user,
                        "spring.datasource.password",
                        password,
                        "countersign.schema.at-start",
                        "verify",
                        "countersign.signing.kek",
                        kek));
    }

    /** As whoever holds only the public keys and the envelope verifies it. */
    private static boolean verifies(JsonNode envelope, JsonNode keys)
            throws GeneralSecurityException {
        byte[] payload = Base64.getDecoder().decode(envelope.path("payload").asString());
        String type = envelope.path("payloadType").asString();
        String head = "DSSEv1 " + type.length() + " " + type + " " + payload.length + " ";
        JsonNode signature = envelope.path("signatures").path(0);
        Signature verifier = Signature.getInstance("Ed25519");
        verifier.initVerify(key(keys, signature.path("keyid").asString()));
        verifier.update(head.getBytes(StandardCharsets.UTF_8));
        verifier.update(payload);
        return verifier.verify(Base64.getDecoder().decode(signature.path("sig").asString()));
    }

    private static PublicKey key(JsonNode keys, String id) throws GeneralSecurityException {
        for (JsonNode key : keys.path("keys")) {
            if (!key.path("kid").asString().equals(id)) continue;
            byte[] x = Base64.getUrlDecoder().decode(key.path("x").asString());
            byte[] encoded = new byte[ED25519.length + x.length];
            System.arraycopy(ED25519, 0, encoded, 0, ED25519.length);
            System.arraycopy(x, 0, encoded, ED25519.length, x.length);
            return KeyFactory.getInstance("Ed25519")
                    .generatePublic(new X509EncodedKeySpec(encoded));
        }
        throw new AssertionError("no key " + id + " in " + keys);
    }

    private String database() {
        return server().getPath().substring(1);
    }

    private URI server() {
        return URI.create(url.substring("jdbc:".length()));
    }

    private void demandPrograms() throws IOException, InterruptedException {
        int server =
                jdbc.queryForObject(
                                "SELECT current_setting('server_version_num')::int", Integer.class)
                        / 10_000;
        int programs = 0;
        try {
            var version = Pattern.compile("\\) (\\d+)").matcher(program("pg_dump", "--version"));
            if (version.find()) programs = Integer.parseInt(version.group(1));
        } catch (IOException e) {
            programs = 0;
        }
        Lanes.demand("backup", programs >= server, "pg_dump is not installed in version " + server);
    }

    private String program(String name, String... arguments)
            throws IOException, InterruptedException {
        String bin = System.getenv("COUNTERSIGN_TEST_PG_BIN");
        List<String> command = new ArrayList<>();
        command.add(bin == null ? name : Path.of(bin, name).toString());
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment()
                .putAll(
                        Map.of(
                                "PGHOST",
                                server().getHost(),
                                "PGPORT",
                                Integer.toString(server().getPort()),
                                "PGUSER",
                                user,
                                "PGPASSWORD",
                                password));
        Path out = Files.createTempFile(directory, name, ".out");
        Process process = builder.redirectOutput(out.toFile()).start();
        assertThat(process.waitFor(2, TimeUnit.MINUTES)).as("%s ends", command).isTrue();
        String text = Files.readString(out);
        assertThat(process.exitValue()).as("%s: %s", command, text).isZero();
        return text;
    }
}
