package io.countersign.artefact;

import io.countersign.artefact.Archives.Format;
import io.countersign.kernel.ProblemCode;
import io.countersign.kernel.ProblemException;
import io.countersign.kernel.ProjectId;
import io.countersign.kernel.Sha256;

import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Stream;

@Service
class WorkspaceService implements Workspaces {
    private final BlobStore blobs;
    private final RunsDirectory runs;
    private final Uploads uploads;
    private final Materialiser materialiser;
    private final MountRoots mounts;
    private final ArchiveLimits limits;

    WorkspaceService(
            BlobStore blobs,
            RunsDirectory runs,
            Uploads uploads,
            Materialiser materialiser,
            WorkspaceProperties properties) {
        this.blobs = blobs;
        this.runs = runs;
        this.uploads = uploads;
        this.materialiser = materialiser;
        this.mounts = new MountRoots(properties.mountRoots());
        this.limits = properties.limits();
    }

    @Override
    public WorkspaceInput freeze(
            ProjectId project, String pointer, @Nullable WorkspaceRequest request) {
        if (request == null) {
            return new WorkspaceInput.None();
        }
        Map<String, JsonNode> files = request.files();
        String sha256 = request.sha256();
        WorkspaceRequest.MountRequest mount = request.mount();
        if (Stream.of(files, sha256, mount).filter(Objects::nonNull).count() != 1) {
            throw ProblemException.invalid(
                    pointer, "must have exactly one of files, sha256 and mount");
        }
        if (files != null) {
            return inline(project, pointer + "/files", files);
        }
        return sha256 != null
                ? uploaded(project, pointer + "/sha256", sha256)
                : mount(pointer + "/mount/path", Objects.requireNonNull(mount).path());
    }

    private WorkspaceInput inline(ProjectId project, String pointer, Map<String, JsonNode> files) {
        NavigableMap<WorkspacePath, byte[]> contents = new TreeMap<>();
        ArchiveRules rules = new ArchiveRules(limits, Long.MAX_VALUE);
        files.forEach(
                (name, content) -> {
                    String at = pointer + "/" + name.replace("~", "~0").replace("/", "~1");
                    WorkspacePath path = WorkspacePath.parse(at, name);
                    byte[] bytes = InlineFiles.content(at, content);
                    rules.path(new ArchiveEntry.RegularFile(name, ArchiveReader.FILE_MODE));
                    rules.file(path);
                    rules.unpacked(bytes.length);
                    contents.put(path, bytes);
                });
        byte[] blob = InlineFiles.write(contents);
        Sha256 sha256 = Sha256.of(blob);
        blobs.put(project, sha256, Format.INLINE, contents.size(), blob);
        return new WorkspaceInput.Inline(sha256);
    }

    private WorkspaceInput uploaded(ProjectId project, String pointer, String hex) {
        Sha256 sha256 = Sha256.parse(pointer, hex);
        if (!blobs.touch(project, sha256)) {
            throw ProblemException.invalid(
                    ProblemCode.UNKNOWN_BLOB,
                    pointer,
                    "project "
                            + project
                            + " has no archive with this digest (any more): upload it with POST"
                            + " /v1/workspaces");
        }
        return new WorkspaceInput.Archive(sha256);
    }

    private WorkspaceInput mount(String pointer, String path) {
        MountRoots.Mount mount = mounts.find(pointer, path);
        try (ArchiveReader reader = new MountReader(mount.root(), mount.below())) {
            // Contents are read when they are copied; this finds links that lead outside.
            ArchiveRules rules = new ArchiveRules(limits, Long.MAX_VALUE);
            Unpacking.run(reader, rules, new Unpacking.Check(false));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read a mounted directory", e);
        } catch (InterruptedException e) {
            throw Uploads.interrupted();
        }
        return new WorkspaceInput.Mount(path);
    }

    @Override
    public ReceivedArchive receive(ProjectId project, InputStream archive) {
        return uploads.receive(project, archive);
    }

    @Override
    public String cwd(String pointer, WorkspaceInput input, @Nullable String raw) {
        String cwd = raw == null ? "" : raw.replace('\\', '/');
        while (cwd.startsWith("./")) {
            cwd = cwd.substring(2);
        }
        if (cwd.length() > 1 && cwd.endsWith("/")) {
            cwd = cwd.substring(0, cwd.length() - 1);
        }
        if (cwd.isEmpty() || cwd.equals(".")) {
            return "";
        }
        String path = WorkspacePath.parse(pointer, cwd).value();
        // An archive with a symlink that leads outside was refused; a mount may have got one since.
        if (input instanceof WorkspaceInput.Mount(String mounted)) {
            Path root = mounts.find(pointer, mounted).directory();
            if (SafePaths.resolve(new Workspace(root, ""), path)
                    instanceof SafePaths.Resolved.Escapes escapes) {
                throw ProblemException.invalid(
                        ProblemCode.PATH_ESCAPES,
                        pointer,
                        "the path " + Shown.text(path) + " " + escapes.why());
            }
        }
        return path;
    }

    @Override
    public boolean retain(ProjectId project, WorkspaceInput input, Instant until) {
        return switch (input) {
            case WorkspaceInput.Inline(Sha256 sha256) -> blobs.retainUntil(project, sha256, until);
            case WorkspaceInput.Archive(Sha256 sha256) -> blobs.retainUntil(project, sha256, until);
            case WorkspaceInput.Mount mount -> true;
            case WorkspaceInput.None none -> true;
        };
    }

    @Override
    public Materialised materialise(
            ProjectId project,
            WorkspaceInput input,
            WorkspaceInput base,
            @Nullable List<DeclaredFile> declared,
            String cwd,
            UUID runId)
            throws InterruptedException {
        return materialiser.materialise(project, input, base, declared, cwd, runId);
    }

    @Override
    public void sweep() {
        runs.sweep();
    }
}
