package io.countersign.check;

import io.countersign.artefact.ChangeSet;
import io.countersign.artefact.ChangedFile;
import io.countersign.artefact.SafePaths;
import io.countersign.artefact.SafePaths.Resolved;
import io.countersign.artefact.Workspace;
import io.countersign.kernel.Cause;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;

/** Finds and reads the files that checks name, inside the workspace only. */
final class WorkspaceFiles {
    private static final int MAX_GITMODULES = 64 * 1024;

    private WorkspaceFiles() {}

    /** What stands at a path. */
    sealed interface Found {
        record File(Path real, long size) implements Found {}

        record Directory(Path real) implements Found {}

        /** A pipe, socket or device: never opened, since opening one can block for ever. */
        record Special() implements Found {}

        /**
         * @param checked the path that was looked for, relative to the root
         * @param hint what may explain it, with a space in front; else empty
         */
        record Nothing(String checked, String hint) implements Found {}

        /**
         * @param why a predicate: "is absolute ...", "leads outside the workspace ...", "cannot be
         *     read"
         * @param cause the DoD's fault when the path itself is bad, the work's when a link is
         */
        record Outside(String checked, String why, Cause cause) implements Found {}
    }

    static Found find(CheckContext context, String path) {
        return find(context.workspace(), context.changeSet(), path);
    }

    static Found find(@Nullable Workspace workspace, ChangeSet changeSet, String path) {
        if (workspace == null) return new Found.Nothing(path, " (there is no workspace)");
        try {
            return resolved(workspace, changeSet, path);
        } catch (UncheckedIOException e) {
            // A mode or a length that the archive or the DoD chose; a broken disk is another kind.
            if (!(e.getCause() instanceof FileSystemException)) throw e;
            return new Found.Outside(path, "cannot be read", Cause.WORK);
        }
    }

    private static Found resolved(Workspace workspace, ChangeSet changeSet, String path) {
        return switch (SafePaths.resolve(workspace, path)) {
            case Resolved.Inside(Path real) -> existing(real);
            case Resolved.Missing(String checked, String variant) ->
                    new Found.Nothing(checked, hint(changeSet, workspace, checked, variant));
            case Resolved.Escapes(String checked, String why) ->
                    new Found.Outside(
                            checked, why, why.contains("symlink") ? Cause.WORK : Cause.DOD);
        };
    }

    private static Found existing(Path real) {
        try {
            BasicFileAttributes attributes =
                    Files.readAttributes(
                            real, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            if (attributes.isRegularFile()) return new Found.File(real, attributes.size());
            return attributes.isDirectory() ? new Found.Directory(real) : new Found.Special();
        } catch (NoSuchFileException e) {
            return new Found.Nothing(real.getFileName().toString(), "");
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the workspace", e);
        }
    }

    private static String hint(
            ChangeSet changeSet, Workspace workspace, String checked, @Nullable String variant) {
        if (variant != null) return " (" + variant + " differs only by case)";
        for (ChangedFile file : changeSet.named()) {
            if (checked.equals(file.from())) return " (it was renamed to " + file.path() + ")";
            if (checked.equals(file.path()) && file.status() == ChangedFile.Status.DELETED) {
                return " (the change-set deletes it)";
            }
        }
        return submodule(workspace, checked)
                .map(module -> " (" + module + " is a submodule that was not posted)")
                .orElse("");
    }

    private static Optional<String> submodule(Workspace workspace, String checked) {
        var atRoot = new Workspace(workspace.root(), "");
        if (!(SafePaths.resolve(atRoot, ".gitmodules") instanceof Resolved.Inside(Path real))) {
            return Optional.empty();
        }
        if (!(existing(real) instanceof Found.File file)) return Optional.empty();
        return text(file, MAX_GITMODULES)
                .flatMap(
                        modules ->
                                modules.lines()
                                        .map(String::strip)
                                        .filter(line -> line.matches("path\\s*=.*"))
                                        .map(line -> line.substring(line.indexOf('=') + 1).strip())
                                        .filter(module -> isBelow(checked, module))
                                        .findFirst());
    }

    private static boolean isBelow(String path, String directory) {
        return !directory.isEmpty() && (path + "/").startsWith(directory + "/");
    }

    /** Whether anything stands at the path itself, be it a link that leads to nothing. */
    static boolean isTaken(CheckContext context, String path) {
        Workspace workspace = context.workspace();
        if (workspace == null) return false;
        try {
            String plain = SafePaths.plain(path);
            while (plain.endsWith("/")) plain = plain.substring(0, plain.length() - 1);
            return Files.exists(workspace.directory().resolve(plain), LinkOption.NOFOLLOW_LINKS);
        } catch (InvalidPathException e) {
            return false;
        }
    }

    /** The whole file; empty when it is longer than {@code limit} bytes or cannot be read. */
    static Optional<byte[]> bytes(Found.File file, int limit) {
        if (file.size() > limit) return Optional.empty();
        try (InputStream in = Files.newInputStream(file.real(), LinkOption.NOFOLLOW_LINKS)) {
            byte[] bytes = in.readNBytes(limit + 1);
            return bytes.length > limit ? Optional.empty() : Optional.of(bytes);
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** The whole file as UTF-8, malformed bytes replaced. */
    static Optional<String> text(Found.File file, int limit) {
        return bytes(file, limit).map(bytes -> new String(bytes, StandardCharsets.UTF_8));
    }
}
