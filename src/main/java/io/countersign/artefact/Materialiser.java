package io.countersign.artefact;

import io.countersign.artefact.Archives.Format;
import io.countersign.kernel.Cause;
import io.countersign.kernel.ProblemCode;
import io.countersign.kernel.ProblemException;
import io.countersign.kernel.ProjectId;
import io.countersign.kernel.Sha256;

import org.jspecify.annotations.Nullable;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.util.List;
import java.util.UUID;

/** Makes the directory of a run from its frozen input. */
final class Materialiser {
    /** The base is the service's alone: sandboxed commands have no business in it. */
    private static final int PRIVATE = 0700;

    private final BlobStore blobs;
    private final RunsDirectory runs;
    private final MountRoots mounts;
    private final ArchiveLimits limits;
    private final FileOwner owner;

    Materialiser(
            BlobStore blobs,
            RunsDirectory runs,
            MountRoots mounts,
            ArchiveLimits limits,
            FileOwner owner) {
        this.blobs = blobs;
        this.runs = runs;
        this.mounts = mounts;
        this.limits = limits;
        this.owner = owner;
    }

    Materialised materialise(
            ProjectId project,
            WorkspaceInput input,
            WorkspaceInput base,
            @Nullable List<DeclaredFile> declared,
            String cwd,
            UUID runId)
            throws InterruptedException {
        Path run = null;
        boolean ready = false;
        try {
            run = runs.createRun(runId);
            PreparedWorkspace prepared = prepare(project, input, base, declared, cwd, run);
            ready = true;
            return new Materialised.Ready(prepared);
        } catch (ProblemException e) {
            return new Materialised.Refused(cause(e.code()), e.detail());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot make the workspace", e);
        } finally {
            if (!ready && run != null) {
                runs.delete(run);
            }
        }
    }

    /** Whose fault it is that there is no workspace. */
    private static Cause cause(ProblemCode code) {
        boolean ours = code == ProblemCode.UNKNOWN_BLOB || code == ProblemCode.MOUNT_NOT_ALLOWED;
        return ours ? Cause.INFRASTRUCTURE : Cause.WORK;
    }

    private PreparedWorkspace prepare(
            ProjectId project,
            WorkspaceInput input,
            WorkspaceInput base,
            @Nullable List<DeclaredFile> declared,
            String cwd,
            Path run)
            throws IOException, InterruptedException {
        Path root = directory(run.resolve("workspace"), owner, ArchiveReader.DIRECTORY_MODE);
        Tree tree = fill(project, input, root, owner);
        Path baseRoot = null;
        Tree baseTree = null;
        if (!(base instanceof WorkspaceInput.None)) {
            FileOwner service = FileOwner.service();
            baseRoot = directory(run.resolve("base"), service, PRIVATE);
            baseTree = fill(project, base, baseRoot, service);
        }
        ChangeSets.Frozen frozen = ChangeSets.freeze(tree, baseTree, declared);
        return new PreparedWorkspace(
                workspace(root, tree == null ? "" : cwd),
                baseRoot,
                frozen.changeSet(),
                tree,
                frozen.findings(),
                () -> runs.delete(run));
    }

    private static Path directory(Path path, FileOwner owner, int mode) throws IOException {
        Files.createDirectory(path);
        owner.take(path, mode);
        return path;
    }

    private static Workspace workspace(Path root, String cwd) {
        Workspace workspace = new Workspace(root, cwd);
        String problem =
                switch (SafePaths.resolve(new Workspace(root, ""), cwd)) {
                    case SafePaths.Resolved.Inside(Path real) ->
                            Files.isDirectory(real, LinkOption.NOFOLLOW_LINKS)
                                    ? null
                                    : "is not a directory";
                    case SafePaths.Resolved.Missing missing -> "does not exist in the workspace";
                    case SafePaths.Resolved.Escapes escapes -> escapes.why();
                };
        if (problem != null) {
            throw new ProblemException(
                    ProblemCode.PATH_INVALID, "cwd " + Shown.text(cwd) + " " + problem);
        }
        return workspace;
    }

    /**
     * @return null for {@link WorkspaceInput.None}
     */
    private @Nullable Tree fill(ProjectId project, WorkspaceInput input, Path root, FileOwner owner)
            throws IOException, InterruptedException {
        return switch (input) {
            case WorkspaceInput.None none -> null;
            case WorkspaceInput.Inline(Sha256 sha256) -> unpack(project, sha256, root, owner);
            case WorkspaceInput.Archive(Sha256 sha256) -> unpack(project, sha256, root, owner);
            case WorkspaceInput.Mount(String path) -> copy(path, root, owner);
        };
    }

    private Tree copy(String path, Path root, FileOwner owner)
            throws IOException, InterruptedException {
        MountRoots.Mount mount = mounts.find("", path);
        try (ArchiveReader reader = new MountReader(mount.root(), mount.below())) {
            return write(reader, new ArchiveRules(limits, Long.MAX_VALUE), root, owner);
        }
    }

    private Tree unpack(ProjectId project, Sha256 sha256, Path root, FileOwner owner)
            throws IOException, InterruptedException {
        BlobStore.Blob blob =
                blobs.find(project, sha256)
                        .orElseThrow(
                                () ->
                                        new ProblemException(
                                                ProblemCode.UNKNOWN_BLOB,
                                                "the files with digest "
                                                        + sha256
                                                        + " have expired (retention.blobs)"));
        byte[] content = blob.content();
        InputStream bytes =
                content != null
                        ? new ByteArrayInputStream(content)
                        : blobs.chunks(project, sha256, blob.bytes());
        ArchiveRules rules = new ArchiveRules(limits, blob.bytes());
        try (var whole = new DigestInputStream(bytes, Sha256.newDigest())) {
            Tree tree =
                    blob.format() == Format.ZIP
                            ? unpackZip(whole, rules, root, owner)
                            : unpackStream(blob.format(), whole, rules, root, owner);
            whole.transferTo(OutputStream.nullOutputStream());
            if (!Sha256.of(whole.getMessageDigest()).equals(sha256)) {
                throw new IOException("the stored files " + sha256 + " are damaged");
            }
            return tree;
        }
    }

    private static Tree unpackStream(
            Format format, InputStream bytes, ArchiveRules rules, Path root, FileOwner owner)
            throws IOException, InterruptedException {
        try (ArchiveReader reader = Archives.open(format, bytes, rules)) {
            return write(reader, rules, root, owner);
        }
    }

    /** Zip has its directory at the end, so it passes through a file. */
    private Tree unpackZip(InputStream bytes, ArchiveRules rules, Path root, FileOwner owner)
            throws IOException, InterruptedException {
        Path file = root.resolveSibling(root.getFileName() + ".zip");
        try {
            Files.copy(bytes, file);
            try (ArchiveReader reader = new ZipReader(file, limits)) {
                return write(reader, rules, root, owner);
            }
        } finally {
            Files.deleteIfExists(file);
        }
    }

    private static Tree write(ArchiveReader reader, ArchiveRules rules, Path root, FileOwner owner)
            throws InterruptedException {
        DiskSink sink = new DiskSink(root, owner);
        Unpacking.run(reader, rules, sink);
        return sink.finish();
    }
}
