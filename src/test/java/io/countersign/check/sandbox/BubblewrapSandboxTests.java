package io.countersign.check.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The contract, and what only isolation can promise. */
class BubblewrapSandboxTests extends SandboxContract {
    @Override
    SandboxProbe.Result open(SandboxProperties properties) {
        return SandboxProbe.ofThisHost().bubblewrap(properties);
    }

    @Test
    void saysHowItIsolates() {
        assertThat(sandbox.isolation()).isEqualTo("bubblewrap");
    }

    @Test
    void reachesNoNetworkAndNotTheServicesOwnPorts() throws Exception {
        assumeTool("bash");
        try (var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String connect = "exec 3<>/dev/tcp/%s/%d && echo connected";
            for (String address : List.of("127.0.0.1", "192.0.2.1", "localhost")) {
                String script = connect.formatted(address, server.getLocalPort());
                Outcome outcome = run(List.of("bash", "-c", script), WALL);
                assertThat(stdout(outcome)).isEmpty();
                assertThat(text(output(outcome).stderr())).containsAnyOf("unreachable", "refused");
            }
        }
        assertThat(stdout(shell("cat /proc/net/dev | grep -c :"))).isEqualTo("1\n");
    }

    @Test
    void hasALoopbackOfItsOwn() throws Exception {
        assumeTool("python3");
        String script =
                "import socket; s=socket.create_server(('127.0.0.1',0));"
                        + " c=socket.create_connection(s.getsockname()); a,_=s.accept();"
                        + " c.sendall(b'hello'); print(a.recv(9).decode(),"
                        + " socket.gethostbyname('localhost'))";
        assertThat(stdout(run(List.of("python3", "-c", script), WALL)))
                .isEqualTo("hello 127.0.0.1\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/x",
                "/usr/x",
                "/usr/bin/x",
                "/etc/x",
                "/etc/passwd",
                "/dev/x",
                "/home/x",
                "/proc/sys/kernel/hostname",
                "/bin/x",
                "/sys/x"
            })
    void writesNothingOutsideItsWorkspace(String path) throws Exception {
        assertThat(shell("echo x >" + path))
                .isInstanceOfSatisfying(
                        Outcome.Exited.class, exited -> assertThat(exited.code()).isNotZero());
    }

    @Test
    void writesNothingThroughASymlinkOfTheWorkspace() throws Exception {
        Path outside = Files.writeString(temporary.resolve("outside.txt"), "before");
        Files.createSymbolicLink(workspace.resolve("link"), outside);
        Files.createSymbolicLink(workspace.resolve("up"), temporary);
        shell("echo after >link; echo after >up/outside.txt; ln file.txt ../hard");
        assertThat(outside).hasContent("before");
        assertThat(temporary.resolve("hard")).doesNotExist();
    }

    @Test
    void readsNothingOfTheService() throws Exception {
        Path secret = Files.writeString(temporary.resolve("secret.txt"), "s3cret");
        String jvm = "/proc/" + ProcessHandle.current().pid();
        String script =
                "cat SECRET ../secret.txt /proc/*/root SECRET JVM/environ JVM/cmdline /etc/shadow"
                                .replace("SECRET", secret.toString())
                                .replace("JVM", jvm)
                        + "; ls -A /root /home /var /run /srv /mnt /media /boot /tmp/countersign-*;"
                        + " ls /etc /";
        assertThat(stdout(shell(script)))
                .doesNotContain("s3cret", "junit", "shadow", "root:", "var", "home", "root");
    }

    @Test
    void seesNoProcessButItsOwn() throws Exception {
        List<String> commands =
                stdout(shell("for p in /proc/[0-9]*; do cat $p/comm; done")).lines().toList();
        assertThat(commands).isNotEmpty().isSubsetOf("bwrap", "setsid", "sh", "cat");
    }

    @Test
    void findsNoSecretInAnyEnvironmentThatItCanRead() throws Exception {
        String all = stdout(shell("cat /proc/*/environ | tr '\\0' '\\n' | sort -u"));
        assertThat(all.lines().map(line -> line.replaceAll("=.*", "")))
                .isSubsetOf(
                        "PATH",
                        "HOME",
                        "TMPDIR",
                        "CI",
                        "NO_COLOR",
                        "TERM",
                        "LANG",
                        "PWD",
                        "OLDPWD",
                        "SHLVL",
                        "_");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "unshare -U true",
                "unshare -Ur true",
                "unshare -m true",
                "unshare -n true",
                "unshare -p -f true",
                "mount -t tmpfs none /tmp",
                "mount --bind / /tmp",
                "umount /usr",
                "mount -o remount,rw /usr",
                "bwrap --ro-bind / / true",
                "chroot / true",
                "nsenter -t 1 -m true",
                "mknod x b 8 0",
                "su -c true",
                "setpriv --reuid 0 true",
                "hostname other",
                "renice -n -5 $$"
            })
    void gainsNoPrivilege(String attempt) throws Exception {
        assertThat(shell(attempt))
                .isInstanceOfSatisfying(
                        Outcome.Exited.class, exited -> assertThat(exited.code()).isNotZero());
    }

    @Test
    void hasNoCapabilityAndNoNewPrivileges() throws Exception {
        String status = stdout(shell("cat /proc/self/status"));
        assertThat(status)
                .containsPattern("CapEff:\\s+0000000000000000")
                .containsPattern("CapPrm:\\s+0000000000000000")
                .containsPattern("CapBnd:\\s+0000000000000000")
                .containsPattern("NoNewPrivs:\\s+1")
                .doesNotContainPattern("Uid:\\s+0\\s");
    }

    @Test
    void knowsTheHomeOfItsUser() throws Exception {
        assertThat(stdout(shell("getent passwd $(id -u) | cut -d: -f6; echo $HOME; whoami")))
                .isEqualTo("/tmp/home\n/tmp/home\ncommands\n");
    }

    @Test
    void showsReadOnlyBindsBelowTheServersRootsAlone() throws Exception {
        Path shown = Path.of("/usr/share/zoneinfo");
        assumeTrue(Files.isDirectory(shown), shown + " is missing");
        String script = "ls %s | head -1; touch %s/x || echo read-only".formatted(shown, shown);
        assertThat(stdout(bound(shown, script))).endsWith("read-only\n").hasLineCount(2);

        Path linked = Files.createSymbolicLink(temporary.resolve("link"), Path.of("/root"));
        for (Path bind : List.of(temporary, linked, Path.of("/"), Path.of("/usr/share/.."))) {
            assertThat(bound(bind, "true"))
                    .isInstanceOfSatisfying(
                            Outcome.NotStarted.class,
                            notStarted -> {
                                assertThat(notStarted.programMissing()).isFalse();
                                assertThat(notStarted.reason()).contains("read-only bind " + bind);
                            });
        }
    }

    private Outcome bound(Path bind, String script) throws InterruptedException {
        var command =
                new Command(
                        List.of("sh", "-c", script), workspace, "", List.of(bind), Map.of(), null);
        return sandbox.run(command, Limits.of(WALL));
    }

    private static void assumeTool(String name) {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin", name)), name + " is not in /usr/bin");
    }

    @Test
    void takesItsTemporaryFilesWithIt() throws IOException, InterruptedException {
        shell("echo x >/tmp/countersign-left-over; echo y >/dev/shm/z");
        assertThat(Path.of("/tmp/countersign-left-over")).doesNotExist();
        assertThat(Path.of("/dev/shm/z")).doesNotExist();
    }
}
