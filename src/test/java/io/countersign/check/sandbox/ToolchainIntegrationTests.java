package io.countersign.check.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Real tools of this host inside bubblewrap; each is skipped where it is not installed. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ToolchainIntegrationTests {
    private LocalSandbox sandbox;
    @TempDir Path temporary;
    private Path workspace;

    @BeforeAll
    void openSandbox() {
        switch (SandboxProbe.ofThisHost().bubblewrap(SandboxContract.properties(Map.of()))) {
            case SandboxProbe.Works(Sandbox opened, String how) -> sandbox = (LocalSandbox) opened;
            case SandboxProbe.Fails(String why) ->
                    assumeTrue(false, "the toolchain tests are skipped here: " + why);
        }
    }

    @AfterAll
    void closeSandbox() {
        if (sandbox != null) sandbox.close();
    }

    @BeforeEach
    void freshWorkspace() throws IOException {
        Files.setPosixFilePermissions(temporary, PosixFilePermissions.fromString("rwx--x--x"));
        workspace = Files.createDirectory(temporary.resolve("workspace"));
    }

    @Test
    void runsNodesTests() throws Exception {
        file(
                "test/add.test.js",
                """
                const { test } = require('node:test');
                test('adds', () => require('node:assert').equal(1 + 1, 2));
                """);
        assertThat(passes("node", "--test")).contains("pass 1").doesNotContain("\u001b");
    }

    @Test
    void runsNpmScripts() throws Exception {
        file("package.json", "{\"name\":\"w\",\"scripts\":{\"test\":\"node -p 6*7\"}}");
        assertThat(passes("npm", "test")).contains("42");
    }

    @Test
    void runsPytest() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/pytest")), "pytest is not in /usr/bin");
        file("test_add.py", "import tempfile\ndef test_add(tmp_path):\n    assert 1 + 1 == 2\n");
        assertThat(passes("python3", "-m", "pytest", "-q", "-p", "no:cacheprovider"))
                .contains("1 passed");
        assertThat(passes("pytest", "-q", "-p", "no:cacheprovider")).contains("1 passed");
    }

    @Test
    void runsPythonWithProcessesOfItsOwn() throws Exception {
        String script =
                "import multiprocessing as m, os, pathlib;"
                        + " print(m.Pool(2).map(abs, [-1, -2]), pathlib.Path.home())";
        assertThat(passes("python3", "-c", script)).isEqualTo("[1, 2] /tmp/home\n");
    }

    @Test
    void compilesAndRunsJava() throws Exception {
        file(
                "Main.java",
                """
                public class Main {
                    public static void main(String[] args) throws Exception {
                        System.out.println(System.getProperty("user.home"));
                        System.out.println(java.nio.file.Files.createTempFile("a", "b"));
                    }
                }
                """);
        assertThat(passes("java", "-version")).contains("version");
        assertThat(passes("javac", "-d", "out", "Main.java")).isEmpty();
        assertThat(passes("java", "-cp", "out", "Main")).startsWith("/tmp/home\n/tmp/");
    }

    @Test
    void startsMavenWithoutANetwork() throws Exception {
        assertThat(passes("mvn", "-o", "-v")).contains("Apache Maven");
        file(
                "pom.xml",
                """
                <project><modelVersion>4.0.0</modelVersion>
                <groupId>g</groupId><artifactId>a</artifactId><version>1</version></project>
                """);
        Outcome outcome = run("mvn", "-o", "-q", "validate");
        assertThat(outcome).isInstanceOf(Outcome.Exited.class);
        assertThat(SandboxContract.stdout(outcome)).doesNotContain("/root");
    }

    @Test
    void readsAGitRepository() throws Exception {
        assumeInstalled("git");
        assertThat(shell("git init -q . && git status --porcelain && git rev-parse --git-dir"))
                .isEqualTo(".git\n");
        file("a.txt", "a");
        assertThat(passes("git", "status", "--porcelain")).isEqualTo("?? a.txt\n");
    }

    @Test
    void runsMake() throws Exception {
        file("Makefile", "test:\n\t@echo made\n");
        assertThat(passes("make", "test")).isEqualTo("made\n");
    }

    @Test
    void runsGo() throws Exception {
        file("go.mod", "module w\n");
        file("a_test.go", "package w\nimport \"testing\"\nfunc TestA(t *testing.T) {}\n");
        assertThat(passes("go", "test", "./...")).contains("ok");
    }

    @Test
    void runsCargo() throws Exception {
        file("Cargo.toml", "[package]\nname = \"w\"\nversion = \"0.1.0\"\n");
        file("src/lib.rs", "#[test]\nfn works() {}\n");
        assertThat(passes("cargo", "test", "--offline")).contains("1 passed");
    }

    /** Both streams of a command that ends with 0. */
    private String passes(String... argv) throws Exception {
        assumeInstalled(argv[0]);
        Outcome outcome = run(argv);
        Output output = SandboxContract.output(outcome);
        String text = SandboxContract.text(output.stdout()) + SandboxContract.text(output.stderr());
        assertThat(outcome)
                .as(text)
                .isInstanceOfSatisfying(
                        Outcome.Exited.class, exited -> assertThat(exited.code()).isZero());
        return text;
    }

    private String shell(String script) throws Exception {
        return passes("sh", "-c", script);
    }

    private Outcome run(String... argv) throws InterruptedException {
        var command = new Command(List.of(argv), workspace, "", List.of(), Map.of(), null);
        return sandbox.run(command, Limits.of(Duration.ofMinutes(2)));
    }

    private void assumeInstalled(String program) {
        assumeTrue(
                Programs.find(program, real -> real.startsWith("/usr")).isPresent(),
                program + " is not installed in /usr");
    }

    private void file(String name, String content) throws IOException {
        Path file = workspace.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, content);
        handOver(file);
    }

    /** What is written after the first run belongs to the service: it is handed over here. */
    private void handOver(Path file) throws IOException {
        if (!sandbox.host.dropsPrivileges()) return;
        for (Path path = file; path.startsWith(workspace); path = path.resolve("..").normalize()) {
            Ownership.give(path, sandbox.host.commandUid());
        }
    }
}
