package io.countersign.artefact;

import io.countersign.artefact.ChangedFile.Status;
import io.countersign.kernel.Finding;
import io.countersign.kernel.Sha256;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

/** Makes the change-set of a run from the frozen trees and the producer's own list. Pure. */
final class ChangeSets {
    private static final int MAX_FINDINGS = 50;
    private static final String UNDECLARED = "undeclared-change";

    private ChangeSets() {}

    /**
     * @param findings {@code undeclared-change} where the list and the truth differ
     */
    record Frozen(ChangeSet changeSet, List<Finding> findings) {}

    /**
     * @param tree the frozen workspace; null when the run has none
     * @param base null when there is none
     * @param declared null when the producer sent no list
     */
    static Frozen freeze(
            @Nullable Tree tree, @Nullable Tree base, @Nullable List<DeclaredFile> declared) {
        if (tree != null && base != null) {
            List<ChangedFile> computed = tree.changedSince(base);
            List<Finding> findings =
                    declared == null ? List.of() : bounded(differences(computed, declared));
            return new Frozen(known(computed), findings);
        }
        if (declared == null) {
            return new Frozen(new ChangeSet.Unknown(), List.of());
        }
        return tree == null ? withoutContents(declared) : fromTree(tree, declared);
    }

    private static ChangeSet known(List<ChangedFile> files) {
        return new ChangeSet.Known(files, ChangeSetHash.of(files));
    }

    /** A list of deletions alone needs no contents, nor does an empty one. */
    private static Frozen withoutContents(List<DeclaredFile> declared) {
        List<ChangedFile> files =
                sorted(declared.stream().map(file -> changed(file, null)).toList());
        boolean contents = files.stream().anyMatch(file -> file.status() != Status.DELETED);
        return new Frozen(contents ? new ChangeSet.Declared(files) : known(files), List.of());
    }

    private static Frozen fromTree(Tree tree, List<DeclaredFile> declared) {
        List<ChangedFile> files = new ArrayList<>();
        List<Finding> findings = new ArrayList<>();
        for (DeclaredFile file : declared) {
            Tree.Node node = tree.nodes().get(file.path());
            boolean deleted = file.status() == Status.DELETED;
            if (node == null) {
                files.add(changed(file, null));
                if (!deleted) {
                    findings.add(
                            finding(
                                    file.path(),
                                    "declared as "
                                            + file.status().wire()
                                            + ", but it is not in the workspace"));
                }
            } else if (deleted) {
                // The frozen tree is the truth; a hash that calls the file missing would lie.
                files.add(
                        new ChangedFile(file.path().value(), Status.MODIFIED, null, node.sha256()));
                findings.add(
                        finding(file.path(), "declared as deleted, but it is in the workspace"));
            } else {
                files.add(changed(file, node.sha256()));
            }
        }
        return new Frozen(known(sorted(files)), bounded(findings));
    }

    private static ChangedFile changed(DeclaredFile file, @Nullable Sha256 sha256) {
        WorkspacePath from = file.from();
        return new ChangedFile(
                file.path().value(), file.status(), from == null ? null : from.value(), sha256);
    }

    private static List<ChangedFile> sorted(List<ChangedFile> files) {
        return files.stream()
                .sorted(Comparator.comparing(ChangedFile::path, WorkspacePath::compare))
                .toList();
    }

    private static List<Finding> differences(
            List<ChangedFile> computed, List<DeclaredFile> declared) {
        NavigableMap<WorkspacePath, Boolean> said = new TreeMap<>();
        for (DeclaredFile file : declared) {
            said.put(file.path(), file.status() == Status.DELETED);
            if (file.from() != null) {
                said.put(file.from(), true);
            }
        }
        List<Finding> findings = new ArrayList<>();
        for (ChangedFile file : computed) {
            WorkspacePath path = new WorkspacePath(file.path());
            Boolean saidDeleted = said.remove(path);
            boolean deleted = file.status() == Status.DELETED;
            if (saidDeleted == null) {
                findings.add(finding(path, file.status().wire() + ", but not declared"));
            } else if (saidDeleted != deleted) {
                findings.add(
                        finding(
                                path,
                                saidDeleted
                                        ? "declared as deleted, but it is in the workspace"
                                        : "declared as changed, but it is deleted"));
            }
        }
        said.keySet()
                .forEach(
                        path ->
                                findings.add(
                                        finding(
                                                path,
                                                "declared, but it is as it was in the base")));
        return findings;
    }

    private static Finding finding(WorkspacePath path, String detail) {
        return new Finding(UNDECLARED, path.value(), detail);
    }

    private static List<Finding> bounded(List<Finding> findings) {
        if (findings.size() <= MAX_FINDINGS) {
            return findings;
        }
        List<Finding> first = new ArrayList<>(findings.subList(0, MAX_FINDINGS));
        int more = findings.size() - MAX_FINDINGS;
        first.add(new Finding(UNDECLARED, null, more + " more paths differ"));
        return first;
    }
}
