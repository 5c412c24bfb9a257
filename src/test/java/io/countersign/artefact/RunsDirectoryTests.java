package io.countersign.artefact;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.OptionalInt;
import java.util.UUID;

class RunsDirectoryTests {
    private Path root;

    @BeforeEach
    void start(@TempDir Path temp) throws IOException {
        root = temp.toRealPath().resolve("runs");
    }

    private static RunsDirectory open(Path root) {
        return new RunsDirectory(root, false, UUID::randomUUID, InstantSource.system());
    }

    /** Another service process: prints its directory, then waits for its end. */
    static final class OtherProcess {
        public static void main(String[] arguments) throws Exception {
            RunsDirectory runs = open(Path.of(arguments[0]));
            Path run = runs.createRun(UUID.randomUUID());
            Files.createDirectories(run.resolve("workspace/a/b"));
            Files.createFile(runs.parts().resolve("upload_1.tmp"));
            System.out.println(runs.own());
            System.in.read();
        }
    }

    @Test
    void sweepsWhatAKilledProcessLeftAndNothingOfALivingOne() throws Exception {
        Process other =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                                "-cp",
                                System.getProperty("java.class.path"),
                                OtherProcess.class.getName(),
                                root.toString())
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        try (RunsDirectory runs = open(root)) {
            Path theirs = Path.of(other.inputReader().readLine());
            Path mine = runs.createRun(UUID.randomUUID());
            runs.sweep();
            assertThat(theirs).isNotEmptyDirectory();
            other.destroyForcibly().waitFor();
            runs.sweep();
            assertThat(theirs).doesNotExist();
            assertThat(WorkspaceFixture.list(root)).hasSize(2);
            assertThat(mine).exists();
        } finally {
            other.destroyForcibly().waitFor();
        }
        assertThat(root).isEmptyDirectory();
    }

    @Test
    void partsOfRequestsAreTheServicesAlone() throws IOException {
        assumeThat(FileOwner.UNIX).isTrue();
        try (RunsDirectory runs = open(root)) {
            Path part = Files.createFile(runs.parts().resolve("upload_1.tmp"));
            runs.sweep();
            assertThat(part).as("a request may still need it").exists();
            assertThat(Files.getPosixFilePermissions(runs.parts()))
                    .isEqualTo(PosixFilePermissions.fromString("rwx------"));
        }
    }

    @Test
    void aSecondServiceOfThisProcessIsAlive() throws IOException {
        try (RunsDirectory first = open(root);
                RunsDirectory second = open(root)) {
            Path run = first.createRun(UUID.randomUUID());
            second.sweep();
            first.sweep();
            assertThat(run).exists();
            first.delete(run);
        }
    }

    @Test
    void sweepsRunsThatCouldNotBeDeletedBefore() throws IOException {
        try (RunsDirectory runs = open(root)) {
            Path left = Files.createDirectory(runs.own().resolve(UUID.randomUUID().toString()));
            Path moved = Files.createDirectory(runs.own().resolve(left.getFileName() + "~7"));
            Path part = Files.createFile(runs.own().resolve(UUID.randomUUID() + ".part"));
            Path library = Files.createFile(runs.own().resolve("libzstd-jni.so"));
            Path live = runs.createRun(UUID.randomUUID());
            Path file = runs.newFile(UUID.randomUUID());
            Files.createFile(file);
            runs.sweep();
            assertThat(List.of(left, moved, part)).allSatisfy(p -> assertThat(p).doesNotExist());
            assertThat(List.of(library, live, file)).allSatisfy(p -> assertThat(p).exists());
        }
    }

    @Test
    void sweepsLockFilesOnlyWhenTheyAreOld() throws IOException {
        try (RunsDirectory runs = open(root)) {
            Path young = Files.createFile(root.resolve(UUID.randomUUID() + ".lock"));
            Path old = Files.createFile(root.resolve(UUID.randomUUID() + ".lock"));
            Files.setLastModifiedTime(old, FileTime.from(Instant.now().minusSeconds(4000)));
            runs.sweep();
            assertThat(young).exists();
            assertThat(old).doesNotExist();
        }
    }

    @Test
    void othersMayPassThroughButNotLook() throws IOException {
        try (RunsDirectory runs = open(root)) {
            Path run = runs.createRun(UUID.randomUUID());
            for (Path directory : List.of(root, runs.own(), run)) {
                assertThat(Files.getPosixFilePermissions(directory))
                        .isEqualTo(PosixFilePermissions.fromString("rwx--x--x"));
            }
        }
    }

    @Test
    void refusesADirectoryThatOthersMayWrite() throws IOException {
        Files.createDirectory(root);
        Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwxrwxrwx"));
        assertThatThrownBy(() -> open(root))
                .hasMessageContaining("countersign.workspaces.directory: " + root)
                .hasMessageContaining("writable by the service's user and nobody else");
    }

    @Test
    void refusesASymlinkOrAFile() throws IOException {
        Files.createSymbolicLink(root, root.getParent());
        assertThatThrownBy(() -> open(root)).hasMessageContaining("must be a directory");
        Path file = Files.createFile(root.resolveSibling("file"));
        assertThatThrownBy(() -> open(file)).hasMessageContaining("must be a directory");
    }

    @Test
    void refusesADirectoryThatTheSandboxCannotReach() throws IOException {
        Path parent = Files.createDirectories(root.resolveSibling("private"));
        Files.setPosixFilePermissions(parent, PosixFilePermissions.fromString("rwx------"));
        assertThatThrownBy(
                        () ->
                                new RunsDirectory(
                                        parent.resolve("runs"),
                                        true,
                                        UUID::randomUUID,
                                        InstantSource.system()))
                .hasMessageContaining("cannot pass through " + parent);
    }

    @Test
    void theWorkspaceBelongsToWhoeverRunsCommandsInIt() throws Exception {
        Files.createDirectory(root);
        assumeThat(Files.getAttribute(root, "unix:uid"))
                .as("only root gives files away")
                .isEqualTo(0);
        Path into = Files.createDirectory(root.resolve("workspace"));
        DiskSink sink = new DiskSink(into, FileOwner.of(OptionalInt.of(61234)));
        byte[] tar = new RawTar().file("d/f", "x").symlink("l", "d/f").directory("ro", 0555).end();
        ArchiveRules rules = new ArchiveRules(Packing.LIMITS, tar.length);
        Unpacking.run(
                Archives.open(Archives.Format.TAR, new java.io.ByteArrayInputStream(tar), rules),
                rules,
                sink);
        sink.finish();
        for (String path : List.of("d", "d/f", "l", "ro")) {
            assertThat(
                            Files.readAttributes(
                                    into.resolve(path), "unix:uid,gid", LinkOption.NOFOLLOW_LINKS))
                    .as(path)
                    .containsEntry("uid", 61234)
                    .containsEntry("gid", 61234);
        }
    }
}
