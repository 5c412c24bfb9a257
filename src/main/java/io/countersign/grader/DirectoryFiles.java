package io.countersign.grader;

import io.countersign.artefact.ChangeSet;
import io.countersign.artefact.ChangedFile;
import io.countersign.kernel.Sha256;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A workspace directory, read without following any link. {@code .git} is left out. */
final class DirectoryFiles implements FrozenFiles {
    private final Path root;
    private final Map<String, Sha256> frozen = new HashMap<>();

    DirectoryFiles(Path root, ChangeSet changeSet) {
        this.root = root;
        if (changeSet instanceof ChangeSet.Known known) {
            for (ChangedFile file : known.files()) {
                if (file.sha256() != null) frozen.put(file.path(), file.sha256());
            }
        }
    }

    @Override
    public List<Entry> list() throws IOException {
        List<Entry> entries = new ArrayList<>();
        Files.walkFileTree(
                root,
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult preVisitDirectory(
                            Path directory, BasicFileAttributes attributes) {
                        return directory.equals(root.resolve(".git"))
                                ? FileVisitResult.SKIP_SUBTREE
                                : FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                        entries.add(entry(relative(file), attributes));
                        return FileVisitResult.CONTINUE;
                    }
                });
        entries.sort(Comparator.comparing(Entry::path));
        return entries;
    }

    @Override
    public Optional<Entry> find(String path) throws IOException {
        BasicFileAttributes attributes = attributes(path);
        if (attributes == null || attributes.isDirectory() || attributes.isOther()) {
            return Optional.empty();
        }
        return Optional.of(entry(path, attributes));
    }

    @Override
    public byte[] read(String path, int max) throws IOException {
        Entry entry = find(path).orElseThrow(() -> new NoSuchFileException(path));
        Path file = root.resolve(path);
        if (entry.link()) {
            byte[] target =
                    Files.readSymbolicLink(file).toString().getBytes(StandardCharsets.UTF_8);
            return target.length <= max ? target : Arrays.copyOf(target, max);
        }
        Sha256 expected = frozen.get(path);
        try (InputStream in = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
            byte[] head = in.readNBytes(max);
            if (expected != null) compare(path, expected, head, in);
            return head;
        }
    }

    /** A check may have rewritten the file since; then it is not what the verdict is about. */
    private static void compare(String path, Sha256 expected, byte[] head, InputStream rest)
            throws IOException {
        MessageDigest digest = Sha256.newDigest();
        digest.update(head);
        byte[] buffer = new byte[1 << 16];
        for (int n = rest.read(buffer); n >= 0; n = rest.read(buffer)) digest.update(buffer, 0, n);
        if (!Sha256.of(digest).equals(expected)) throw new NoLongerFrozen(path);
    }

    /** The attributes of a path all of whose parents are real directories; null without one. */
    private @Nullable BasicFileAttributes attributes(String path) throws IOException {
        Path at = root;
        BasicFileAttributes attributes = null;
        for (String segment : path.split("/", -1)) {
            boolean enters = attributes == null || attributes.isDirectory();
            if (!enters || segment.isEmpty() || segment.equals(".") || segment.equals("..")) {
                return null;
            }
            try {
                at = at.resolve(segment);
                attributes =
                        Files.readAttributes(
                                at, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            } catch (NoSuchFileException | NotDirectoryException | InvalidPathException e) {
                return null;
            }
        }
        return attributes;
    }

    private String relative(Path file) {
        return root.relativize(file).toString().replace('\\', '/');
    }

    private static Entry entry(String path, BasicFileAttributes attributes) {
        return new Entry(path, attributes.size(), attributes.isSymbolicLink());
    }
}
