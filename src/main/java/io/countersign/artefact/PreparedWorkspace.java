package io.countersign.artefact;

import io.countersign.kernel.Finding;
import io.countersign.kernel.Sha256;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.util.List;

/** The fresh directory of one run with what was frozen before anything ran in it. */
public final class PreparedWorkspace implements AutoCloseable {
    private final Workspace workspace;
    private final @Nullable Path base;
    private final ChangeSet changeSet;
    private final @Nullable Tree tree;
    private final List<Finding> findings;
    private final Runnable deletion;

    PreparedWorkspace(
            Workspace workspace,
            @Nullable Path base,
            ChangeSet changeSet,
            @Nullable Tree tree,
            List<Finding> findings,
            Runnable deletion) {
        this.workspace = workspace;
        this.base = base;
        this.changeSet = changeSet;
        this.tree = tree;
        this.findings = List.copyOf(findings);
        this.deletion = deletion;
    }

    /** The writable directory; an empty one when the run has no workspace. */
    public Workspace workspace() {
        return workspace;
    }

    /** The unpacked base, which the sandbox never sees; null when there is none. */
    public @Nullable Path base() {
        return base;
    }

    public ChangeSet changeSet() {
        return changeSet;
    }

    /** The tree hash; null when the run has no workspace. */
    public @Nullable Sha256 treeSha256() {
        return tree == null ? null : tree.sha256();
    }

    /**
     * The frozen files and symlinks that are others or gone on the disk by now, in the order of
     * their paths. New ones do not count. Reads all of them.
     */
    public List<String> altered() {
        return tree == null ? List.of() : tree.alteredIn(workspace.root());
    }

    /**
     * {@code undeclared-change} for each path on which the producer's list and the truth differ.
     */
    public List<Finding> findings() {
        return findings;
    }

    /**
     * Deletes the directory, whatever the sandboxed commands left in it. A second call does
     * nothing. What cannot be deleted now is left to {@link Workspaces#sweep}, with a log line.
     */
    @Override
    public void close() {
        deletion.run();
    }
}
