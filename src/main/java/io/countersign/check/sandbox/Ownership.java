package io.countersign.check.sandbox;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.OptionalInt;
import java.util.Set;

/** Makes a workspace the command's own. */
final class Ownership {
    private static final Set<PosixFilePermission> OPEN =
            EnumSet.of(
                    PosixFilePermission.OWNER_READ,
                    PosixFilePermission.OWNER_WRITE,
                    PosixFilePermission.OWNER_EXECUTE);

    private Ownership() {}

    /**
     * Gives everything below {@code workspace} to the user, unless the directory is its own
     * already. The directory itself comes last, so that a run that was interrupted half way is done
     * again.
     */
    static void handOver(Path workspace, int uid) throws IOException {
        if (Host.uid(workspace).equals(OptionalInt.of(uid))) return;
        Files.walkFileTree(
                workspace,
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                            throws IOException {
                        give(file, uid);
                        return FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult postVisitDirectory(
                            Path directory, @Nullable IOException e) throws IOException {
                        give(directory, uid);
                        return FileVisitResult.CONTINUE;
                    }
                });
    }

    static void give(Path path, int uid) throws IOException {
        Files.setAttribute(path, "unix:gid", uid, LinkOption.NOFOLLOW_LINKS);
        Files.setAttribute(path, "unix:uid", uid, LinkOption.NOFOLLOW_LINKS);
    }

    /** Lets the owner of a directory into it. */
    static void open(Path directory) throws IOException {
        Set<PosixFilePermission> permissions =
                EnumSet.copyOf(Files.getPosixFilePermissions(directory));
        if (permissions.addAll(OPEN)) Files.setPosixFilePermissions(directory, permissions);
    }
}
