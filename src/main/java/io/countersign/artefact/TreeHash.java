package io.countersign.artefact;

import io.countersign.kernel.Sha256;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.MessageDigest;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * The tree hash of a directory as it lies there: the change-set hash over every file, a symlink
 * counting by its target text, the root's {@code .git} left out. Empty directories and modes do not
 * count.
 */
public final class TreeHash {
    private TreeHash() {}

    /**
     * @throws UncheckedIOException when the directory cannot be read
     * @throws IllegalArgumentException when it holds something that is neither file, symlink nor
     *     directory, or a name that no workspace may have
     */
    public static Sha256 of(Path directory) {
        return tree(directory).sha256();
    }

    static Tree tree(Path directory) {
        Collector collector = new Collector(directory);
        try {
            Files.walkFileTree(directory, collector);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the tree", e);
        }
        return new Tree(collector.nodes);
    }

    private static final class Collector extends SimpleFileVisitor<Path> {
        private final Path root;
        private final byte[] buffer = new byte[1 << 16];
        private final NavigableMap<WorkspacePath, Tree.Node> nodes = new TreeMap<>();

        Collector(Path root) {
            this.root = root;
        }

        @Override
        public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
            return isGit(directory) ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                throws IOException {
            if (!isGit(file)) {
                WorkspacePath path = new WorkspacePath(name(file));
                nodes.put(path, node(file, attributes));
            }
            return FileVisitResult.CONTINUE;
        }

        private boolean isGit(Path path) {
            return path.equals(root.resolve(".git"));
        }

        private String name(Path file) {
            String relative = root.relativize(file).toString();
            return relative.replace(file.getFileSystem().getSeparator(), "/");
        }

        private Tree.Node node(Path file, BasicFileAttributes attributes) throws IOException {
            if (attributes.isSymbolicLink()) {
                String target = Files.readSymbolicLink(file).toString();
                return new Tree.Node(Sha256.of(target.getBytes(StandardCharsets.UTF_8)), true);
            }
            if (!attributes.isRegularFile()) {
                throw new IllegalArgumentException(
                        Shown.text(name(file)) + " is neither file, symlink nor directory");
            }
            MessageDigest digest = Sha256.newDigest();
            FileDigests.update(digest, file, buffer);
            return new Tree.Node(Sha256.of(digest), false);
        }
    }
}
