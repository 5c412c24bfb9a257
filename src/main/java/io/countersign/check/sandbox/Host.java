package io.countersign.check.sandbox;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What this host offers to start processes with.
 *
 * @param uid the service's own numeric user id; -1 where it is not known
 * @param commandUid the user that commands run as
 */
record Host(
        int uid,
        int commandUid,
        Path sh,
        @Nullable Path setsid,
        @Nullable Path setpriv,
        @Nullable Path unshare,
        @Nullable Path bwrap) {
    private static final List<String> DIRECTORIES =
            List.of("/usr/bin", "/bin", "/usr/local/bin", "/usr/sbin", "/sbin");

    static Host detect(SandboxProperties properties) {
        int uid = uid(Path.of("/proc/self")).orElse(-1);
        return new Host(
                uid,
                uid == 0 ? properties.uid() : uid,
                find("sh").orElse(Path.of("/bin/sh")),
                find("setsid").orElse(null),
                find("setpriv").orElse(null),
                find("unshare").orElse(null),
                find("bwrap").orElse(null));
    }

    static OptionalInt uid(Path path) {
        try {
            return OptionalInt.of((Integer) Files.getAttribute(path, "unix:uid"));
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
            return OptionalInt.empty();
        }
    }

    private static Optional<Path> find(String tool) {
        return DIRECTORIES.stream()
                .map(directory -> Path.of(directory, tool))
                .filter(Files::isExecutable)
                .findFirst();
    }

    boolean dropsPrivileges() {
        return uid == 0;
    }

    /** The words that give up root in front of a command; none for an ordinary user. */
    List<String> dropPrivileges() {
        if (!dropsPrivileges()) return List.of();
        String id = Integer.toString(commandUid);
        return List.of(
                String.valueOf(setpriv), "--reuid", id, "--regid", id, "--clear-groups", "--");
    }

    /** Why no command could be started as an unprivileged user; empty when one can. */
    Optional<String> objection() {
        if (dropsPrivileges() && setpriv == null) {
            return Optional.of("the service runs as root and setpriv (util-linux) is missing");
        }
        return Optional.empty();
    }
}
