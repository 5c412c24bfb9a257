package io.countersign.artefact;

import static io.countersign.artefact.WorkspaceFixture.PROJECT;
import static io.countersign.artefact.WorkspaceFixture.ready;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.countersign.artefact.WorkspaceRequest.MountRequest;
import io.countersign.kernel.Cause;
import io.countersign.kernel.ProblemCode;
import io.countersign.kernel.ProblemException;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Random;

class MountsIntegrationTests {
    private static final WorkspaceInput NONE = new WorkspaceInput.None();

    private Path temp;
    private Path checkout;
    private WorkspaceFixture fixture;

    @BeforeEach
    void start(@TempDir Path given) throws IOException {
        temp = given.toRealPath();
        checkout = Files.createDirectories(temp.resolve("mounts/shop"));
        Files.createDirectories(checkout.resolve("src/empty"));
        Files.writeString(checkout.resolve("src/a.txt"), "x");
        Files.writeString(checkout.resolve("run.sh"), "#!/bin/sh\n");
        Files.setPosixFilePermissions(
                checkout.resolve("run.sh"), PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.createSymbolicLink(checkout.resolve("link"), Path.of("src/a.txt"));
        Files.createDirectories(checkout.resolve(".git"));
        Files.writeString(checkout.resolve(".git/HEAD"), "ref");
        Files.createDirectories(temp.resolve("private"));
        Files.writeString(temp.resolve("private/secret"), "s");
        fixture = new WorkspaceFixture(temp.resolve("runs"), temp.resolve("mounts"));
    }

    @AfterEach
    void leavesNothingOnDisk() throws IOException {
        assertThat(fixture.left()).isEmpty();
        fixture.close();
    }

    private WorkspaceInput mount(Path path) {
        return fixture.workspaces.freeze(
                PROJECT,
                "/workspace",
                new WorkspaceRequest(null, null, new MountRequest(path.toString())));
    }

    private void refused(ProblemCode code, String message, Path path) {
        assertThatThrownBy(() -> mount(path))
                .isInstanceOfSatisfying(
                        ProblemException.class,
                        problem -> {
                            assertThat(problem.detail()).contains(message);
                            assertThat(problem.code()).isEqualTo(code);
                        });
        assertThat(fixture.materialise(new WorkspaceInput.Mount(path.toString())))
                .isInstanceOf(Materialised.Refused.class);
    }

    @Test
    void aMountIsCopiedWithModesAndLinks() throws IOException {
        byte[] large = new byte[3 << 20];
        new Random(1).nextBytes(large);
        Files.write(checkout.resolve("large"), large);
        WorkspaceInput input = mount(checkout);
        try (PreparedWorkspace prepared = ready(fixture.materialise(input))) {
            Path root = prepared.workspace().root();
            assertThat(root.resolve("src/a.txt")).hasContent("x");
            assertThat(root.resolve("large")).hasBinaryContent(large);
            assertThat(root.resolve("src/empty")).isEmptyDirectory();
            assertThat(root.resolve(".git/HEAD")).hasContent("ref");
            assertThat(Files.isExecutable(root.resolve("run.sh"))).isTrue();
            assertThat(Files.readSymbolicLink(root.resolve("link"))).hasToString("src/a.txt");
            assertThat(prepared.treeSha256()).isEqualTo(TreeHash.of(checkout));
            Files.writeString(root.resolve("src/a.txt"), "changed in the copy");
            Files.writeString(checkout.resolve("later"), "changed in the checkout");
            assertThat(root.resolve("later")).doesNotExist();
        }
        assertThat(checkout.resolve("src/a.txt")).hasContent("x");
    }

    @Test
    void aMountMayBeReachedThroughALinkThatStaysBelowTheRoot() throws IOException {
        Path current = temp.resolve("mounts/current");
        Files.createSymbolicLink(current, Path.of("shop"));
        ready(fixture.materialise(mount(current))).close();
    }

    @Test
    void onlyDirectoriesBelowARootAreMounted() throws IOException {
        String message = "is not a directory below one of countersign.workspaces.mount-roots";
        Files.createSymbolicLink(temp.resolve("mounts/out"), temp.resolve("private"));
        for (String path :
                new String[] {
                    "private",
                    "mounts/../private",
                    "mounts/out",
                    "mounts/none",
                    "mounts/shop/run.sh"
                }) {
            refused(ProblemCode.MOUNT_NOT_ALLOWED, message, temp.resolve(path));
        }
        refused(ProblemCode.MOUNT_NOT_ALLOWED, message, Path.of("shop"));
        refused(ProblemCode.MOUNT_NOT_ALLOWED, message, Path.of("/etc"));
    }

    @Test
    void aMountThatThisHostDoesNotHaveIsNoFaultOfTheWork() {
        assertThat(
                        fixture.materialise(
                                new WorkspaceInput.Mount(temp.resolve("mounts/x").toString())))
                .isInstanceOfSatisfying(
                        Materialised.Refused.class,
                        refused -> assertThat(refused.cause()).isEqualTo(Cause.INFRASTRUCTURE));
    }

    @Test
    void symlinksThatLeadOutsideAreRefused() throws IOException {
        Files.createSymbolicLink(checkout.resolve("src/out"), Path.of("../../../private/secret"));
        refused(
                ProblemCode.ARCHIVE_UNSAFE,
                "the entry \"src/out\" is a symlink that leads outside the workspace",
                checkout);
        assertThat(fixture.materialise(new WorkspaceInput.Mount(checkout.toString())))
                .isInstanceOfSatisfying(
                        Materialised.Refused.class,
                        refused -> assertThat(refused.cause()).isEqualTo(Cause.WORK));
    }

    @Test
    void socketsAreRefusedOutsideOfGit() throws IOException {
        try (ServerSocketChannel socket = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            socket.bind(UnixDomainSocketAddress.of(checkout.resolve(".git/ipc")));
            ready(fixture.materialise(mount(checkout))).close();
        }
        try (ServerSocketChannel socket = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            socket.bind(UnixDomainSocketAddress.of(checkout.resolve("ipc")));
            refused(
                    ProblemCode.ARCHIVE_UNSAFE,
                    "\"ipc\" is a device file, a pipe or a socket",
                    checkout);
        }
    }

    @Test
    void namesThatNoWorkspaceMayHaveAreRefused() throws IOException {
        Files.writeString(checkout.resolve("cafe\u0301"), "x");
        refused(ProblemCode.PATH_NOT_NFC, "is not in Unicode NFC", checkout);
    }

    @Test
    void aCwdThatLeavesAMountIs422() throws IOException {
        WorkspaceInput input = mount(checkout);
        assertThat(fixture.workspaces.cwd("/cwd", input, "src")).isEqualTo("src");
        Files.createSymbolicLink(checkout.resolve("out"), temp.resolve("private"));
        assertThatThrownBy(() -> fixture.workspaces.cwd("/cwd", input, "out"))
                .isInstanceOfSatisfying(
                        ProblemException.class,
                        problem -> {
                            assertThat(problem.code()).isEqualTo(ProblemCode.PATH_ESCAPES);
                            assertThat(problem.detail())
                                    .isEqualTo(
                                            "/cwd: the path \"out\" leads outside the workspace"
                                                    + " through the symlink out");
                        });
    }

    @Test
    void tooManyFilesAreRefused() throws IOException {
        for (int i = 0; i < 2001; i++) {
            Files.createFile(checkout.resolve("f" + i));
        }
        refused(ProblemCode.ARCHIVE_TOO_LARGE, "more than 2000 entries", checkout);
    }
}
