package io.countersign.artefact;

import io.countersign.kernel.ProblemException;
import io.countersign.kernel.ProjectId;

import org.jspecify.annotations.Nullable;

import java.io.InputStream;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** From what a caller sends to the fresh directory of a run. Safe for use by many threads. */
public interface Workspaces {
    /**
     * Freezes a workspace (or base) that a caller named: inline files are stored as a blob, an
     * uploaded archive is looked up and kept alive, a mount is checked. Joins the caller's
     * transaction where there is one.
     *
     * @param pointer JSON pointer of the request member
     * @param request null when the member is absent
     * @throws ProblemException 422 that names the file, digest or path
     */
    WorkspaceInput freeze(ProjectId project, String pointer, @Nullable WorkspaceRequest request);

    /**
     * Receives and checks an archive (tar, tar.gz, tar.zst or zip, told apart by content). Reads
     * the stream to its end and does not close it. A refused one leaves nothing on disk. This may
     * take as long as the sender does: call it outside of any transaction, and {@linkplain
     * ReceivedArchive#store store} what came in the one that needs it.
     *
     * @throws ProblemException 413 when it is over {@code countersign.workspaces.max-archive}, 422
     *     that names the entry when it is unreadable, unsafe or unpacks to too much, 400 when the
     *     stream ends early
     */
    ReceivedArchive receive(ProjectId project, InputStream archive);

    /**
     * Reads the {@code cwd} that a caller sent.
     *
     * @param raw null for the root
     * @return relative to the workspace root, with forward slashes; empty for the root
     * @throws ProblemException 422 when it leaves the workspace
     */
    String cwd(String pointer, WorkspaceInput input, @Nullable String raw);

    /**
     * Keeps the input's blob at least until then.
     *
     * @return false when it is gone already
     */
    boolean retain(ProjectId project, WorkspaceInput input, Instant until);

    /**
     * Makes the fresh directory of one run, and takes the change-set and the tree hash before
     * anything can run in it.
     *
     * @param base the workspace before the work; {@link WorkspaceInput.None} when there is none
     * @param declared the producer's own list; null when it sent none
     * @param cwd as {@link #cwd} answered it
     * @param runId names the directory; unique among living runs
     * @throws InterruptedException when the thread is interrupted; nothing is left on disk
     * @throws java.io.UncheckedIOException when the disk fails; nothing is left on disk
     */
    Materialised materialise(
            ProjectId project,
            WorkspaceInput input,
            WorkspaceInput base,
            @Nullable List<DeclaredFile> declared,
            String cwd,
            UUID runId)
            throws InterruptedException;

    /** Removes what dead processes of this host left in the runs directory. */
    void sweep();
}
