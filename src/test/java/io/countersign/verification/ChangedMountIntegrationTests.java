package io.countersign.verification;

import static org.assertj.core.api.Assertions.assertThat;

import io.countersign.grader.FakeModelServer;
import io.countersign.grader.FakeModelServer.Wire;
import io.countersign.support.IntegrationTest;
import io.countersign.support.ServiceClient;
import io.countersign.support.ServiceClient.Answer;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;

/**
 * A mounted checkout that somebody goes on writing to while it is verified. Checks and grader each
 * get a copy; what is graded and signed must be what was checked. Here the check itself is the
 * somebody, so that the change falls between the two without any waiting: it runs as a plain
 * process that sees the checkout.
 */
@IntegrationTest(
        properties = {
            "countersign.sandbox.backend=process",
            "countersign.verify.prefer-deterministic=false"
        })
class ChangedMountIntegrationTests {
    private static final FakeModelServer PROVIDER = FakeModelServer.start(Wire.OPENAI);
    private static final String PROJECT = "mount/changed";

    @TempDir static Path mounts;

    @Autowired ServiceClient client;

    @DynamicPropertySource
    static void settings(DynamicPropertyRegistry registry) {
        PROVIDER.then(PROVIDER.text("{\"pass\": true, \"reasons\": []}"));
        registry.add("countersign.workspaces.mount-roots", () -> mounts.toString());
        PROVIDER.register(registry);
        registry.add("countersign.grader.tiers.heavy", () -> "fake/judge");
    }

    @BeforeAll
    static void letTheSandboxesUserThrough() throws IOException {
        Files.setPosixFilePermissions(mounts, PosixFilePermissions.fromString("rwx--x--x"));
    }

    @AfterAll
    static void closeProvider() {
        PROVIDER.close();
    }

    @Test
    void aCheckoutThatStaysIsCheckedGradedAndAccepted() throws IOException {
        Answer answer = verify(checkout("stays", "true"));

        assertThat(answer.at("/accepted").asBoolean()).as(answer.toString()).isTrue();
        assertThat(answer.at("/verdict/method").asString()).isEqualTo("checker");
        assertThat(PROVIDER.requests()).isNotEmpty();
        assertThat(answer.at("/receipt/treeSha256")).isEqualTo(answer.at("/changeSet/treeSha256"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "echo 'and more' >> a.txt",
                "echo new > new.txt",
                "rm b.txt",
                "mv b.txt c.txt"
            })
    void aCheckoutThatChangedInBetweenIsRefusedAndNobodyGradesIt(String change) throws IOException {
        int asked = PROVIDER.requests().size();

        Answer answer = verify(checkout("changes-" + change.hashCode(), change));

        assertThat(answer.at("/accepted").asBoolean()).as(answer.toString()).isFalse();
        assertThat(answer.at("/verdict/cause").asString()).isEqualTo("work");
        assertThat(answer.at("/verdict/reasons/0").asString())
                .isEqualTo("the workspace changed while it was verified");
        assertThat(answer.at("/receipt").isNull()).isTrue();
        assertThat(PROVIDER.requests()).hasSize(asked);
    }

    @Test
    void aChangeThatWasTakenBackIsNone() throws IOException {
        Answer answer = verify(checkout("taken-back", "echo x > new.txt; rm new.txt"));

        assertThat(answer.at("/accepted").asBoolean()).as(answer.toString()).isTrue();
    }

    /** A checkout whose check changes the checkout itself, not the copy that it runs in. */
    private static Path checkout(String directory, String change) throws IOException {
        Path checkout = Files.createDirectory(mounts.resolve(directory)).toRealPath();
        Files.writeString(checkout.resolve("check.sh"), "cd '" + checkout + "'\n" + change + "\n");
        for (String name : List.of("a.txt", "b.txt")) {
            Path file = Files.writeString(checkout.resolve(name), "hello\n");
            letAnyoneWrite(file, "rw-rw-rw-");
        }
        letAnyoneWrite(checkout, "rwxrwxrwx");
        return checkout;
    }

    /** The command runs as another user when the tests run as root. */
    private static void letAnyoneWrite(Path path, String mode) throws IOException {
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
    }

    private Answer verify(Path checkout) {
        Answer allowed =
                client.as("dev-admin")
                        .put(
                                "/v1/projects/" + PROJECT,
                                Map.of("commands", Map.of("allowlist", List.of("sh"))));
        assertThat(allowed.status()).as(allowed.toString()).isBetween(200, 299);
        Answer answer =
                client.with("Prefer", "wait=60")
                        .post(
                                "/v1/verifications",
                                Map.of(
                                        "project",
                                        PROJECT,
                                        "acceptance",
                                        """
                                        [acceptance]
                                        check: run command="sh check.sh"
                                        criteria: It greets.
                                        [/acceptance]""",
                                        "artefact",
                                        Map.of(
                                                "finalReturnText",
                                                "done",
                                                "changedFiles",
                                                List.of(
                                                        Map.of(
                                                                "path",
                                                                "a.txt",
                                                                "status",
                                                                "modified"))),
                                        "workspace",
                                        Map.of("mount", Map.of("path", checkout.toString()))));
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        return answer;
    }
}
