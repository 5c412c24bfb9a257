package io.countersign.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.countersign.artefact.Workspace;
import io.countersign.check.sandbox.Captured;
import io.countersign.kernel.Finding;
import io.countersign.kernel.Sha256;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.json.JsonMapper;

import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

/** What is read beside the checks: defaults, findings, captured output, the frozen policy. */
class WorkspaceReadingTests {
    @TempDir Path root;

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            nullValues = "-",
            textBlock =
                    """
                    package.json     | {"scripts":{"test":"jest","lint":"eslint ."}} | npm test | - | npm run lint
                    package.json     | {"scripts":{"test":"echo \\\\"Error: no test specified\\\\" && exit 1"}} | - | - | -
                    package.json     | not json        | -                | -                    | -
                    package.json     | {"scripts":[]}  | -                | -                    | -
                    pom.xml          | <project/>      | mvn -B test      | mvn -B test-compile  | -
                    build.gradle.kts | x               | gradle test      | gradle testClasses   | -
                    pyproject.toml   | [tool.ruff]     | pytest           | -                    | ruff check .
                    pyproject.toml   | [project]       | pytest           | -                    | -
                    Cargo.toml       | x               | cargo test       | cargo build          | cargo clippy -- -D warnings
                    go.mod           | x               | go test -v ./... | go build ./...       | go vet ./...
                    README.md        | x               | -                | -                    | -
                    """)
    void suggestsCommandsByBuildFiles(
            String file, String content, String test, String build, String lint) {
        Samples.write(root, file, content);
        assertThat(
                        WorkspaceDefaults.commands(
                                new Workspace(root, ""), CommandPolicy.DEFAULT_ALLOWLIST))
                .isEqualTo(new DefaultCommands(test, build, lint));
    }

    @Test
    void prefersAListedWrapperThatCanBeExecuted() {
        Samples.write(root, "pom.xml", "<project/>");
        Path wrapper = Samples.write(root, "mvnw", "#!/bin/sh\n");
        Workspace workspace = new Workspace(root, "");
        assertThat(WorkspaceDefaults.commands(workspace, CommandPolicy.DEFAULT_ALLOWLIST).test())
                .isEqualTo("mvn -B test");
        assertThat(wrapper.toFile().setExecutable(true, false)).isTrue();
        assertThat(WorkspaceDefaults.commands(workspace, CommandPolicy.DEFAULT_ALLOWLIST).test())
                .isEqualTo("./mvnw -B test");
        assertThat(WorkspaceDefaults.commands(workspace, List.of("mvn")).test())
                .isEqualTo("mvn -B test");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "package.json, harness-changed",
        "packages/a/package.json, harness-changed",
        "conftest.py, harness-changed",
        ".npmrc, harness-changed",
        "pom.xml, harness-changed",
        "build.gradle.kts, harness-changed",
        "vitest.config.ts, harness-changed",
        ".mocharc.yml, harness-changed",
        "Makefile, harness-changed",
        ".mvn/maven.config, harness-changed",
        ".cargo/config.toml, harness-changed",
        "x.csproj, harness-changed",
        "node_modules/.bin/jest, runner-in-change-set",
        "node_modules/jest/package.json, runner-in-change-set",
        "mvnw, runner-in-change-set",
        ".mvn/wrapper/maven-wrapper.jar, runner-in-change-set",
        "pytest.py, runner-in-change-set",
        "pytest/__init__.py, runner-in-change-set",
        "sitecustomize.py, runner-in-change-set",
        "'node_modules/a\u2028b', runner-in-change-set",
        "'.mvn/a\u0085b', harness-changed",
        "'jest.config.\u2028', harness-changed",
        "src/parser.ts,",
        "test/parser.test.ts,",
        "package-lock.json,",
        "docs/package.json.md,"
    })
    void warnsOfChangedFilesThatSteerOrReplaceTheTests(String path, String code) {
        List<Finding> findings = Findings.of(Samples.changed(path));
        if (code == null) assertThat(findings).isEmpty();
        else assertThat(findings).extracting(Finding::code).containsExactly(code);
    }

    @ParameterizedTest
    @ValueSource(strings = {"test/", "node_modules/", ".mvn/", "a_test."})
    void readsAChangedPathInTimeThatGrowsWithItsLength(String segment) {
        String path = segment.repeat(2_000 / segment.length()) + "\u2028";
        String[] paths = Collections.nCopies(3_000, path).toArray(String[]::new);
        var threads = ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadCpuTime();
        Findings.of(Samples.changed(paths));
        Findings.changedTests(Samples.changed(paths));
        assertThat(Duration.ofNanos(threads.getCurrentThreadCpuTime() - before))
                .isLessThan(Duration.ofSeconds(2));
    }

    @Test
    void namesOnlySomeOfManyFindings() {
        String[] paths =
                IntStream.range(0, 1_000).mapToObj(i -> "node_modules/" + i).toArray(String[]::new);
        List<Finding> findings = Findings.of(Samples.changed(paths));
        assertThat(findings).hasSize(21);
        assertThat(findings.getLast().detail()).isEqualTo("and 980 more files");
        assertThat(Findings.of(Samples.UNKNOWN)).isEmpty();
    }

    @Test
    void storesNoHalfOfASecretBesideAGap() {
        String secret = "gh" + "p_" + "a1B2".repeat(9);
        String head = "first line\ntoken " + secret.substring(0, 20);
        String tail =
                secret.substring(20) + "\nQUJDRA==\n-----END RSA PRIVATE KEY-----\nlast line\n";
        CapturedText text = Captures.text(captured(head, tail, 10_000_000));
        assertThat(text.truncated()).isTrue();
        assertThat(text.bytes()).isEqualTo(10_000_000);
        assertThat(text.text())
                .startsWith("first line\n")
                .contains(" bytes left out ...]")
                .endsWith("last line\n")
                .doesNotContain("a1B2", "QUJDRA");
    }

    @Test
    void boundsWhatIsStored() {
        byte[] bytes = "x".repeat(3 << 20).getBytes(StandardCharsets.UTF_8);
        CapturedText text =
                Captures.text(new Captured(bytes, new byte[0], bytes.length, Sha256.of(bytes)));
        assertThat(text.truncated()).isTrue();
        assertThat(text.text().length()).isLessThan(Captures.MAX_STORED + 100);
    }

    @Test
    void showsMalformedBytesSafely() {
        byte[] bytes = {'a', (byte) 0xff, 0, 0x1b, '[', '3', '1', 'm', 'b'};
        String text =
                Captures.text(new Captured(bytes, new byte[0], bytes.length, Sha256.of(bytes)))
                        .text();
        assertThat(text).isEqualTo("a\uFFFDb");
    }

    @Test
    void freezesThePolicyAsJson() {
        var policy =
                new CheckPolicy(
                        List.of("npm", "./mvnw"),
                        "npm test",
                        null,
                        null,
                        Duration.ofSeconds(120),
                        true,
                        false,
                        List.of(Path.of("/srv/cache")));
        JsonMapper json = JsonMapper.shared();
        assertThat(json.readValue(json.writeValueAsString(policy), CheckPolicy.class))
                .isEqualTo(policy);
    }

    @Test
    void acceptsNoPolicyWithoutACeiling() {
        assertThatThrownBy(
                        () ->
                                new CheckPolicy(
                                        List.of(),
                                        null,
                                        null,
                                        null,
                                        Duration.ZERO,
                                        false,
                                        false,
                                        List.of()))
                .hasMessageContaining("checkTimeout");
    }

    private static Captured captured(String head, String tail, long bytes) {
        byte[] first = head.getBytes(StandardCharsets.UTF_8);
        byte[] last = tail.getBytes(StandardCharsets.UTF_8);
        return new Captured(first, last, bytes, Sha256.of("all of it"));
    }
}
