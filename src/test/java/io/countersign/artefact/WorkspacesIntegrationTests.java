package io.countersign.artefact;

import static io.countersign.artefact.Packing.bytes;
import static io.countersign.artefact.Packing.gzip;
import static io.countersign.artefact.Packing.zip;
import static io.countersign.artefact.Packing.zstd;
import static io.countersign.artefact.WorkspaceFixture.PROJECT;
import static io.countersign.artefact.WorkspaceFixture.files;
import static io.countersign.artefact.WorkspaceFixture.ready;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.countersign.kernel.Cause;
import io.countersign.kernel.ProblemCode;
import io.countersign.kernel.ProblemException;
import io.countersign.kernel.ProjectId;
import io.countersign.kernel.Sha256;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.json.JsonMapper;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;

class WorkspacesIntegrationTests {
    private WorkspaceFixture fixture;
    private Workspaces workspaces;

    @BeforeEach
    void start(@TempDir Path temp) {
        fixture = new WorkspaceFixture(temp.resolve("runs"));
        workspaces = fixture.workspaces;
    }

    @AfterEach
    void leavesNothingOnDisk() throws IOException {
        assertThat(fixture.left()).isEmpty();
        fixture.close();
        assertThat(WorkspaceFixture.list(fixture.directory)).isEmpty();
    }

    private StoredArchive upload(byte[] archive) {
        try (ReceivedArchive received =
                workspaces.receive(PROJECT, new ByteArrayInputStream(archive))) {
            return received.store();
        }
    }

    private static byte[] large() {
        byte[] noise = new byte[3 << 20];
        new Random(5).nextBytes(noise);
        return new RawTar().file("noise", noise, 0644).file("b", "b").end();
    }

    private static void assertProblem(ProblemCode code, String message, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        ProblemException.class,
                        problem -> {
                            assertThat(problem.detail()).contains(message);
                            assertThat(problem.code()).isEqualTo(code);
                        });
    }

    @Test
    void inlineFilesBecomeTheWorkspace() throws IOException {
        WorkspaceInput input =
                fixture.inline(
                        Map.of(
                                "src/caf\u00e9.ts",
                                "text\n",
                                "logo.png",
                                Map.of("base64", Base64.getEncoder().encodeToString(bytes("\0x"))),
                                "empty",
                                ""));
        try (PreparedWorkspace prepared = ready(fixture.materialise(input))) {
            Path root = prepared.workspace().root();
            assertThat(root.resolve("src/caf\u00e9.ts")).hasContent("text\n");
            assertThat(root.resolve("logo.png")).hasBinaryContent(bytes("\0x"));
            assertThat(root.resolve("empty")).isEmptyFile();
            assertThat(prepared.treeSha256()).isEqualTo(TreeHash.of(root));
            assertThat(prepared.changeSet()).isEqualTo(new ChangeSet.Unknown());
        }
    }

    @Test
    void theSameInlineFilesAreOneBlobWhateverTheirOrder() {
        WorkspaceInput first = fixture.inline(Map.of("a", "1"));
        assertThat(fixture.inline(Map.of("a", Map.of("base64", "MQ==")))).isEqualTo(first);
        assertThat(fixture.count("blob")).isEqualTo(1);
        assertThat(fixture.inline(Map.of("a", "2"))).isNotEqualTo(first);
        assertThat(fixture.count("blob")).isEqualTo(2);
        assertThat(fixture.count("blob_chunk")).isZero();
    }

    @Test
    void anEmptyWorkspaceIsOne() {
        try (PreparedWorkspace prepared = ready(fixture.materialise(fixture.inline(Map.of())))) {
            assertThat(prepared.treeSha256()).isEqualTo(Sha256.of(""));
        }
    }

    static Stream<Arguments> wrongInlineFiles() {
        return Stream.of(
                Arguments.of(
                        Map.of("../x", "x"),
                        ProblemCode.PATH_ESCAPES,
                        "/workspace/files/..~1x: the path \"../x\""),
                Arguments.of(Map.of("/x", "x"), ProblemCode.PATH_ESCAPES, "is absolute"),
                Arguments.of(
                        Map.of("C:\\Windows\\t", "x"), ProblemCode.PATH_ESCAPES, "drive letter"),
                Arguments.of(Map.of("a\0", "x"), ProblemCode.PATH_INVALID, "NUL"),
                Arguments.of(Map.of("e\u0301", "x"), ProblemCode.PATH_NOT_NFC, "NFC"),
                Arguments.of(
                        Map.of("a", "x", "a/b", "y"),
                        ProblemCode.ARCHIVE_UNSAFE,
                        "other entries lie below it"),
                Arguments.of(Map.of("a", "\ud800"), ProblemCode.INVALID_REQUEST, "lone surrogate"),
                Arguments.of(
                        Map.of("a", Map.of("base64", "*")),
                        ProblemCode.INVALID_REQUEST,
                        "/workspace/files/a/base64"),
                Arguments.of(Map.of("a", 1), ProblemCode.INVALID_REQUEST, "must be a text or"),
                Arguments.of(
                        Map.of("a", Map.of("base64", "", "x", "")),
                        ProblemCode.INVALID_REQUEST,
                        "must be a text or"),
                Arguments.of(
                        Map.of("a", List.of()), ProblemCode.INVALID_REQUEST, "must be a text or"));
    }

    @ParameterizedTest
    @MethodSource
    void wrongInlineFiles(Map<String, ?> files, ProblemCode code, String message) {
        Map<String, Object> sorted = new TreeMap<>(Comparator.reverseOrder());
        sorted.putAll(files);
        assertProblem(code, message, () -> fixture.inline(sorted));
        assertThat(fixture.count("blob")).isZero();
    }

    @Test
    void aWorkspaceHasExactlyOneSource() {
        assertProblem(
                ProblemCode.INVALID_REQUEST,
                "/base: must have exactly one of files, sha256 and mount",
                () -> workspaces.freeze(PROJECT, "/base", new WorkspaceRequest(null, null, null)));
        WorkspaceRequest two =
                new WorkspaceRequest(files(Map.of()).files(), Sha256.of("").hex(), null);
        assertProblem(
                ProblemCode.INVALID_REQUEST,
                "exactly one",
                () -> workspaces.freeze(PROJECT, "/workspace", two));
        assertThat(workspaces.freeze(PROJECT, "/workspace", null))
                .isEqualTo(new WorkspaceInput.None());
    }

    @Test
    void everyFormatIsStoredAndUnpacked() {
        byte[] tar = new RawTar().file("a/b", "x").end();
        byte[] zip = zip(z -> Packing.add(z, "a/b", 0100644, bytes("x")));
        for (byte[] archive : new byte[][] {tar, gzip(tar), zstd(tar), zip}) {
            StoredArchive stored = upload(archive);
            assertThat(stored).isEqualTo(new StoredArchive(Sha256.of(archive), archive.length, 1));
            WorkspaceInput input =
                    workspaces.freeze(
                            PROJECT,
                            "/workspace",
                            new WorkspaceRequest(null, stored.sha256().hex(), null));
            assertThat(input).isEqualTo(stored.input());
            try (PreparedWorkspace prepared = ready(fixture.materialise(input))) {
                assertThat(prepared.workspace().root().resolve("a/b")).hasContent("x");
            }
        }
    }

    @Test
    void largeArchivesAreStoredInChunks() {
        byte[] tar = large();
        byte[] zip = zip(z -> Packing.add(z, "noise", 0, Arrays.copyOf(tar, 2 << 20)));
        for (byte[] archive : new byte[][] {tar, zip}) {
            StoredArchive stored = upload(archive);
            try (PreparedWorkspace prepared = ready(fixture.materialise(stored.input()))) {
                assertThat(prepared.treeSha256())
                        .isEqualTo(TreeHash.of(prepared.workspace().root()));
            }
        }
        assertThat(fixture.count("blob_chunk")).isEqualTo(4 + 3);
        assertThat(upload(tar).files()).isEqualTo(2);
        assertThat(fixture.count("blob_chunk")).isEqualTo(4 + 3);
    }

    @Test
    void aRefusedArchiveLeavesNothing() {
        byte[] bad = new RawTar().file("good", "x").file("../bad", "x").end();
        assertProblem(ProblemCode.PATH_ESCAPES, "\"../bad\"", () -> upload(bad));
        assertProblem(
                ProblemCode.ARCHIVE_UNREADABLE,
                "cut off",
                () -> upload(Arrays.copyOf(gzip(large()), 2 << 20)));
        assertThat(fixture.count("blob")).isZero();
        assertThat(fixture.count("blob_chunk")).isZero();
    }

    @Test
    void anArchiveOverTheLimitIs413AndLeavesNothing() {
        assertProblem(
                ProblemCode.TOO_LARGE,
                "larger than 4194304 bytes",
                () -> upload(new byte[(int) WorkspaceFixture.MAX_ARCHIVE + 1]));
        assertThat(fixture.count("blob")).isZero();
    }

    @Test
    void anUploadThatBreaksOffLeavesNothing() {
        InputStream broken =
                new InputStream() {
                    private int left = 1 << 20;

                    @Override
                    public int read() throws IOException {
                        if (left-- == 0) {
                            throw new IOException("connection reset");
                        }
                        return 0;
                    }
                };
        assertProblem(
                ProblemCode.UNREADABLE_REQUEST,
                "ended before all of it was sent",
                () -> workspaces.receive(PROJECT, broken));
        assertThat(fixture.count("blob")).isZero();
    }

    @Test
    void whatIsStoredInATransactionThatFailsIsNotStored() {
        byte[] tar = large();
        assertThatThrownBy(
                        () -> {
                            try (ReceivedArchive received =
                                    workspaces.receive(PROJECT, new ByteArrayInputStream(tar))) {
                                fixture.transactions.executeWithoutResult(
                                        status -> {
                                            received.store();
                                            fixture.inline(Map.of("a", "b"));
                                            throw new IllegalStateException("rolled back");
                                        });
                            }
                        })
                .hasMessage("rolled back");
        assertThat(fixture.count("blob")).isZero();
        assertThat(fixture.count("blob_chunk")).isZero();
    }

    @Test
    void aBlobIsItsProjectsOwn() {
        StoredArchive stored = upload(new RawTar().file("a", "x").end());
        ProjectId other = new ProjectId("other");
        WorkspaceRequest request = new WorkspaceRequest(null, stored.sha256().hex(), null);
        assertProblem(
                ProblemCode.UNKNOWN_BLOB,
                "/workspace/sha256: project other has no archive with this digest",
                () -> workspaces.freeze(other, "/workspace", request));
        assertProblem(
                ProblemCode.INVALID_REQUEST,
                "/workspace/sha256",
                () ->
                        workspaces.freeze(
                                PROJECT, "/workspace", new WorkspaceRequest(null, "abc", null)));
    }

    @Test
    void concurrentUploadsOfOneArchiveAreOneBlob() throws Exception {
        byte[] tar = large();
        List<Callable<StoredArchive>> calls =
                IntStream.range(0, 8)
                        .<Callable<StoredArchive>>mapToObj(i -> () -> upload(tar))
                        .toList();
        assertThat(together(calls)).containsOnly(new StoredArchive(Sha256.of(tar), tar.length, 2));
        assertThat(fixture.count("blob")).isEqualTo(1);
        assertThat(fixture.count("blob_chunk")).isEqualTo(4);
        try (PreparedWorkspace prepared =
                ready(fixture.materialise(new WorkspaceInput.Archive(Sha256.of(tar))))) {
            assertThat(prepared.workspace().root().resolve("b")).hasContent("b");
        }
    }

    @Test
    void concurrentInlineFilesAndDeletionsNeverLoseABlobThatWasPromised() throws Exception {
        List<Callable<Boolean>> calls =
                IntStream.range(0, 64)
                        .<Callable<Boolean>>mapToObj(
                                i ->
                                        () -> {
                                            if (i % 4 == 0) {
                                                fixture.pass(Duration.ofDays(8));
                                                fixture.blobs.deleteExpired();
                                                return true;
                                            }
                                            var when = fixture.now();
                                            var input = fixture.inline(Map.of("a", "same"));
                                            return workspaces.retain(PROJECT, input, when)
                                                    || fixture.now().isAfter(when);
                                        })
                        .toList();
        assertThat(together(calls)).containsOnly(true);
        fixture.inline(Map.of("a", "same"));
        assertThat(fixture.blobs.deleteExpired()).isLessThanOrEqualTo(1);
        assertThat(fixture.count("blob")).isEqualTo(1);
    }

    private static <T> List<T> together(List<Callable<T>> calls) throws Exception {
        CountDownLatch start = new CountDownLatch(1);
        try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
            List<Future<T>> futures =
                    calls.stream()
                            .map(
                                    call ->
                                            threads.submit(
                                                    () -> {
                                                        start.await();
                                                        return call.call();
                                                    }))
                            .toList();
            start.countDown();
            List<T> results = new ArrayList<>();
            for (Future<T> future : futures) {
                results.add(future.get());
            }
            return results;
        }
    }

    @Test
    void blobsExpireAWeekAfterTheirLastUse() {
        StoredArchive small = upload(new RawTar().file("a", "x").end());
        StoredArchive large = upload(large());
        fixture.pass(Duration.ofDays(6));
        assertThat(fixture.blobs.deleteExpired()).isZero();
        workspaces.freeze(PROJECT, "/base", new WorkspaceRequest(null, small.sha256().hex(), null));
        fixture.pass(Duration.ofDays(2));
        assertThat(fixture.blobs.deleteExpired()).isEqualTo(1);
        assertThat(fixture.count("blob_chunk")).isZero();
        assertThat(fixture.materialise(large.input()))
                .isEqualTo(
                        new Materialised.Refused(
                                Cause.INFRASTRUCTURE,
                                "the files with digest "
                                        + large.sha256()
                                        + " have expired (retention.blobs)"));
        assertThat(workspaces.retain(PROJECT, large.input(), fixture.now())).isFalse();
        ready(fixture.materialise(small.input())).close();
    }

    @Test
    void aRetainedBlobOutlivesItsTime() {
        StoredArchive stored = upload(new RawTar().file("a", "x").end());
        assertThat(
                        workspaces.retain(
                                PROJECT, stored.input(), fixture.now().plus(Duration.ofDays(30))))
                .isTrue();
        fixture.pass(Duration.ofDays(29));
        assertThat(fixture.blobs.deleteExpired()).isZero();
        assertThat(workspaces.retain(PROJECT, stored.input(), fixture.now())).isTrue();
        fixture.pass(Duration.ofDays(2));
        assertThat(fixture.blobs.deleteExpired()).isEqualTo(1);
        assertThat(workspaces.retain(PROJECT, new WorkspaceInput.None(), fixture.now())).isTrue();
    }

    @Test
    void expiredBlobsAreDeletedInBatches() {
        for (int i = 0; i < 120; i++) {
            fixture.inline(Map.of("a", "v" + i));
        }
        fixture.pass(Duration.ofDays(8));
        assertThat(fixture.blobs.deleteExpired()).isEqualTo(120);
    }

    @Test
    void damagedBlobsAreNotUnpacked() {
        StoredArchive stored = upload(new RawTar().file("a", "x").end());
        byte[] other = new RawTar().file("a", "y").end();
        fixture.jdbc.sql("UPDATE blob SET content = ?").param(other).update();
        assertThatThrownBy(() -> fixture.materialise(stored.input()))
                .hasRootCauseMessage("the stored files " + stored.sha256() + " are damaged");
    }

    @Test
    void theBaseIsComparedWithAndStaysOutOfTheWorkspace() {
        WorkspaceInput base =
                upload(
                                gzip(
                                        new RawTar()
                                                .file("same", "1")
                                                .file("edited", "1")
                                                .file("gone", "1")
                                                .end()))
                        .input();
        WorkspaceInput work = fixture.inline(Map.of("same", "1", "edited", "2", "new", "3"));
        List<DeclaredFile> declared =
                DeclaredFile.read("", List.of(new DeclaredFile.Request("edited", null, null)));
        try (PreparedWorkspace prepared = ready(fixture.materialise(work, base, declared, ""))) {
            assertThat(prepared.changeSet().named())
                    .extracting(ChangedFile::path)
                    .containsExactly("edited", "gone", "new");
            assertThat(prepared.findings()).hasSize(2);
            assertThat(prepared.base().resolve("edited")).hasContent("1");
            assertThat(prepared.base()).isNotEqualTo(prepared.workspace().root());
            assertThat(prepared.base().startsWith(prepared.workspace().root())).isFalse();
        }
    }

    @Test
    void noWorkspaceIsAnEmptyDirectoryWithoutATreeHash() {
        List<DeclaredFile> declared =
                DeclaredFile.read("", List.of(new DeclaredFile.Request("a", null, null)));
        try (PreparedWorkspace prepared =
                ready(
                        fixture.materialise(
                                new WorkspaceInput.None(),
                                new WorkspaceInput.None(),
                                declared,
                                "packages/core"))) {
            assertThat(prepared.workspace().directory()).isEmptyDirectory();
            assertThat(prepared.treeSha256()).isNull();
            assertThat(prepared.changeSet()).isInstanceOf(ChangeSet.Declared.class);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"packages/core", "link"})
    void theCwdIsADirectoryOfTheWorkspace(String cwd) {
        WorkspaceInput input =
                upload(
                                new RawTar()
                                        .file("packages/core/a", "x")
                                        .symlink("link", "packages/core")
                                        .end())
                        .input();
        try (PreparedWorkspace prepared =
                ready(fixture.materialise(input, new WorkspaceInput.None(), null, cwd))) {
            assertThat(prepared.workspace().directory().resolve("a")).hasContent("x");
        }
    }

    static Stream<Arguments> wrongCwds() {
        return Stream.of(
                Arguments.of("none", "cwd \"none\" does not exist in the workspace"),
                Arguments.of("file", "cwd \"file\" is not a directory"));
    }

    @ParameterizedTest
    @MethodSource
    void wrongCwds(String cwd, String reason) {
        WorkspaceInput input = fixture.inline(Map.of("file", "x"));
        assertThat(fixture.materialise(input, new WorkspaceInput.None(), null, cwd))
                .isEqualTo(new Materialised.Refused(Cause.WORK, reason));
    }

    @Test
    void aCwdIsReadLikeAPath() {
        WorkspaceInput none = new WorkspaceInput.None();
        for (String root : new String[] {null, "", ".", "./", "./."}) {
            assertThat(workspaces.cwd("/cwd", none, root)).isEmpty();
        }
        assertThat(workspaces.cwd("/cwd", none, "./packages\\core/")).isEqualTo("packages/core");
        for (String out : new String[] {"..", "../x", "a/../../b", "/", "/x", "C:\\x"}) {
            assertProblem(
                    ProblemCode.PATH_ESCAPES, "/cwd", () -> workspaces.cwd("/cwd", none, out));
        }
    }

    @Test
    void oneRunHasOneDirectory() throws InterruptedException {
        WorkspaceInput input = fixture.inline(Map.of("a", "x"));
        UUID run = UUID.randomUUID();
        WorkspaceInput none = new WorkspaceInput.None();
        try (PreparedWorkspace prepared =
                ready(workspaces.materialise(PROJECT, input, none, null, "", run))) {
            assertThat(prepared.workspace().root().getParent().getFileName())
                    .hasToString(run.toString());
            assertThatThrownBy(() -> workspaces.materialise(PROJECT, input, none, null, "", run))
                    .isInstanceOf(UncheckedIOException.class);
            assertThat(prepared.workspace().root().resolve("a")).hasContent("x");
            prepared.close();
            assertThat(prepared.workspace().root()).doesNotExist();
        }
    }

    @Test
    void anInterruptEndsItAndLeavesNothing() {
        WorkspaceInput input = upload(large()).input();
        Thread.currentThread().interrupt();
        assertThatThrownBy(
                        () ->
                                workspaces.materialise(
                                        PROJECT,
                                        input,
                                        new WorkspaceInput.None(),
                                        null,
                                        "",
                                        UUID.randomUUID()))
                .isInstanceOf(InterruptedException.class);
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void inputsReadBackFromJson() {
        JsonMapper json = JsonMapper.shared();
        for (WorkspaceInput input :
                List.of(
                        new WorkspaceInput.None(),
                        new WorkspaceInput.Inline(Sha256.of("a")),
                        new WorkspaceInput.Archive(Sha256.of("b")),
                        new WorkspaceInput.Mount("/srv/x"))) {
            String text = json.writerFor(WorkspaceInput.class).writeValueAsString(input);
            assertThat(json.readValue(text, WorkspaceInput.class)).isEqualTo(input);
        }
        assertThat(json.writeValueAsString(new WorkspaceInput.Mount("/srv/x")))
                .isEqualTo("{\"kind\":\"mount\",\"path\":\"/srv/x\"}");
    }
}
