package io.countersign.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.countersign.artefact.ChangeSet;
import io.countersign.artefact.ChangedFile;
import io.countersign.artefact.Workspace;
import io.countersign.check.sandbox.RealSandbox;
import io.countersign.dod.Dod;
import io.countersign.dod.DodParser;
import io.countersign.kernel.Spans;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Public reports of gates and runners that went wrong, through the real sandbox: the part of each
 * case that checks decide. Over HTTP the whole case runs elsewhere.
 */
class ReportsCasesTests {
    /** They are decided at the door, by the language or by receipts, or need a grader. */
    private static final Set<String> ELSEWHERE = Set.of("paths-003", "dod-003", "dod-005");

    private static final Set<String> AREAS =
            Set.of(
                    "claims",
                    "tamper",
                    "no-tests",
                    "process",
                    "paths",
                    "dod",
                    "secrets",
                    "schema",
                    "flaky",
                    "build");

    static Stream<Named<JsonNode>> cases() throws IOException {
        try (InputStream in = ReportsCasesTests.class.getResourceAsStream("/cases/reports.json")) {
            JsonNode all = JsonMapper.shared().readTree(Objects.requireNonNull(in));
            return all
                    .valueStream()
                    .filter(one -> !one.path("input").has("graderReply"))
                    .filter(one -> AREAS.contains(one.path("area").asString()))
                    .filter(one -> !ELSEWHERE.contains(one.path("id").asString()))
                    .map(one -> Named.of(one.path("id").asString(), one))
                    .toList()
                    .stream();
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    @Timeout(120)
    void decides(JsonNode one) throws Exception {
        for (JsonNode need : one.path("needs")) {
            String tool = need.asString().replaceAll(">=.*", "");
            assumeTrue(isInstalled(tool), () -> tool + " is not installed");
        }
        Path root = Files.createTempDirectory("countersign-case");
        try {
            Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwxr-xr-x"));
            judge(one, root);
        } finally {
            delete(root);
        }
    }

    private static void judge(JsonNode one, Path root) throws Exception {
        JsonNode input = one.path("input");
        unpack(input, root);
        RealSandbox.own(root);
        Dod dod =
                Objects.requireNonNull(
                        DodParser.parse(input.path("dod").asString(), Dod.Source.EXPLICIT).dod());
        CheckContext context = context(one, input, root);
        Checks checks =
                new Checks(
                        RealSandbox.get(),
                        InstantSource.system(),
                        new SimpleMeterRegistry(),
                        Spans.NONE);
        String deliverable = Deliverable.fault(dod.deliverable(), context.workspace());
        List<CheckResult> results = checks.run(dod.checks(), context, result -> {});
        boolean accepted = deliverable == null && results.stream().allMatch(CheckResult::passed);
        String said = said(deliverable, results);

        JsonNode expect = one.path("expect");
        if (!expect.path("accepted").isNull()) {
            assertThat(accepted).as(said).isEqualTo(expect.path("accepted").asBoolean());
        }
        for (JsonNode mention : expect.path("mustMention")) {
            assertThat(Pattern.compile("(?i)" + mention.asString()).matcher(said).find())
                    .as("mentions %s: %s", mention, said)
                    .isTrue();
        }
        for (JsonNode secret : expect.path("mustNotContain")) {
            assertThat(said).doesNotContainPattern(secret.asString());
        }
        assertThat(results).hasSameSizeAs(dod.checks());
    }

    private static String said(String deliverable, List<CheckResult> results) {
        StringBuilder said = new StringBuilder();
        if (deliverable != null) said.append(deliverable).append('\n');
        for (CheckResult result : results) {
            said.append(result.kind()).append(": ").append(result.outcome()).append(": ");
            said.append(result.reason()).append('\n');
            result.findings().forEach(finding -> said.append(finding).append('\n'));
            if (result.stdout() != null) said.append(result.stdout().text());
            if (result.stderr() != null) said.append(result.stderr().text());
        }
        return said.toString();
    }

    private static CheckContext context(JsonNode one, JsonNode input, Path root) {
        List<String> allowlist = new ArrayList<>(CommandPolicy.DEFAULT_ALLOWLIST);
        one.path("needs").forEach(need -> allowlist.add(need.asString()));
        boolean hangs = one.path("id").asString().equals("process-001");
        var policy =
                new CheckPolicy(
                        allowlist,
                        null,
                        null,
                        null,
                        Duration.ofSeconds(hangs ? 4 : 60),
                        false,
                        false,
                        List.of());
        return new CheckContext(
                new Workspace(root, ""), changeSet(input), policy, null, Instant.MAX);
    }

    private static ChangeSet changeSet(JsonNode input) {
        List<ChangedFile> files = new ArrayList<>();
        for (JsonNode file : input.path("changedFiles")) {
            files.add(
                    file.isString()
                            ? new ChangedFile(
                                    file.asString(), ChangedFile.Status.MODIFIED, null, null)
                            : new ChangedFile(
                                    file.path("path").asString(),
                                    ChangedFile.Status.valueOf(
                                            file.path("status")
                                                    .asString()
                                                    .toUpperCase(java.util.Locale.ROOT)),
                                    file.path("from").asString(null),
                                    null));
        }
        return Samples.changed(files);
    }

    private static void unpack(JsonNode input, Path root) throws IOException {
        for (Map.Entry<String, JsonNode> file : input.path("files").properties()) {
            JsonNode content = file.getValue();
            if (content.has("symlink")) {
                Path link = root.resolve(file.getKey());
                Files.createDirectories(link.getParent());
                Files.createSymbolicLink(link, Path.of(content.path("symlink").asString()));
            } else {
                Samples.write(root, file.getKey(), text(content));
            }
        }
        for (Map.Entry<String, JsonNode> mode : input.path("postOpts").path("mode").properties()) {
            Files.setPosixFilePermissions(
                    root.resolve(mode.getKey()), PosixFilePermissions.fromString("rwxr-xr-x"));
        }
    }

    private static String text(JsonNode content) {
        return content.isString()
                ? content.asString()
                : content.path("repeat").asString().repeat(content.path("times").asInt())
                        + content.path("then").asString("");
    }

    private static boolean isInstalled(String tool) {
        return Stream.of("/usr/bin/", "/bin/", "/usr/local/bin/")
                .anyMatch(directory -> Files.isExecutable(Path.of(directory + tool)));
    }

    private static void delete(Path root) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file : files.sorted(java.util.Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
