package io.countersign.artefact;

import io.countersign.artefact.ChangedFile.Status;
import io.countersign.kernel.Sha256;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The files of a directory as they were frozen: every regular file by its content, every symlink by
 * its target text, without the {@code .git} of the root.
 */
record Tree(NavigableMap<WorkspacePath, Node> nodes) {
    /**
     * @param sha256 of the content, or of the target text of a symlink
     */
    record Node(Sha256 sha256, boolean symlink) {}

    Tree {
        nodes = Collections.unmodifiableNavigableMap(new TreeMap<>(nodes));
    }

    /** Whether a path belongs to the repository's own store, which no hash covers. */
    static boolean isGit(WorkspacePath path) {
        return path.value().equals(".git") || path.value().startsWith(".git/");
    }

    Sha256 sha256() {
        NavigableMap<WorkspacePath, Optional<Sha256>> files = new TreeMap<>();
        nodes.forEach((path, node) -> files.put(path, Optional.of(node.sha256())));
        return ChangeSetHash.of(files);
    }

    /** The paths at which {@code root} does not hold, or cannot show, what was frozen. */
    List<String> alteredIn(Path root) {
        byte[] buffer = new byte[1 << 16];
        return nodes.entrySet().stream()
                .filter(node -> !holds(root, node.getKey(), node.getValue(), buffer))
                .map(node -> node.getKey().value())
                .toList();
    }

    private static boolean holds(Path root, WorkspacePath path, Node node, byte[] buffer) {
        Path file = root.resolve(path.value());
        MessageDigest digest = Sha256.newDigest();
        try {
            Path parent = Objects.requireNonNull(file.getParent(), "it is below the root");
            if (!parent.toRealPath().startsWith(root.toRealPath())) return false;
            var attributes =
                    Files.readAttributes(
                            file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            if (attributes.isSymbolicLink() != node.symlink()) return false;
            if (node.symlink()) {
                return Sha256.of(Files.readSymbolicLink(file).toString()).equals(node.sha256());
            }
            if (!attributes.isRegularFile()) return false;
            FileDigests.update(digest, file, buffer);
            return Sha256.of(digest).equals(node.sha256());
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * What changed from {@code base} to this tree, by comparing alone: a renamed file is one that
     * is deleted and one that is added. Modes do not count.
     *
     * @return in the order of their paths
     */
    List<ChangedFile> changedSince(Tree base) {
        NavigableMap<WorkspacePath, ChangedFile> changed = new TreeMap<>();
        nodes.forEach(
                (path, node) -> {
                    Node before = base.nodes.get(path);
                    if (!node.equals(before)) {
                        Status status = before == null ? Status.ADDED : Status.MODIFIED;
                        changed.put(
                                path, new ChangedFile(path.value(), status, null, node.sha256()));
                    }
                });
        for (WorkspacePath path : base.nodes.keySet()) {
            if (!nodes.containsKey(path)) {
                changed.put(path, new ChangedFile(path.value(), Status.DELETED, null, null));
            }
        }
        return new ArrayList<>(changed.values());
    }
}
