package io.countersign.check.sandbox;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The sandbox that this host allows, for tests of what runs in it. */
public final class RealSandbox {
    private static final SandboxProperties PROPERTIES =
            new SandboxProperties(
                    SandboxProperties.Backend.AUTO,
                    false,
                    List.of(),
                    61_000,
                    null,
                    new SandboxProperties.Bounds(
                            org.springframework.util.unit.DataSize.ofGigabytes(4),
                            512,
                            org.springframework.util.unit.DataSize.ofGigabytes(1),
                            org.springframework.util.unit.DataSize.ofMegabytes(8),
                            org.springframework.util.unit.DataSize.ofGigabytes(1)));

    private static final class Holder {
        static final Sandbox SANDBOX =
                SandboxConfiguration.choose(PROPERTIES, false, SandboxProbe.ofThisHost());
    }

    private RealSandbox() {}

    public static Sandbox get() {
        return Holder.SANDBOX;
    }

    /** Hands a directory and all in it to whoever the commands run as. */
    public static void own(Path root) {
        Host host = Host.detect(PROPERTIES);
        if (!host.dropsPrivileges()) return;
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file : files.toList()) {
                Files.setAttribute(file, "unix:uid", host.commandUid(), LinkOption.NOFOLLOW_LINKS);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
