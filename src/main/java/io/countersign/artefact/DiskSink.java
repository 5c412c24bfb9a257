package io.countersign.artefact;

import io.countersign.kernel.Sha256;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;

/**
 * Writes entries below a fresh, empty directory and hashes them as they pass. Symlinks come last:
 * until then no path can lead through one. Directories get their modes last too: a read-only one
 * could not be filled.
 */
final class DiskSink implements Unpacking.Sink {
    private final Path root;
    private final FileOwner owner;
    private final ByteBuffer buffer = ByteBuffer.allocate(1 << 16);
    private final Set<WorkspacePath> directories = new HashSet<>();
    private final NavigableMap<WorkspacePath, Integer> modes = new TreeMap<>();
    private final Map<WorkspacePath, String> symlinks = new LinkedHashMap<>();
    private final NavigableMap<WorkspacePath, Tree.Node> nodes = new TreeMap<>();

    DiskSink(Path root, FileOwner owner) {
        this.root = root;
        this.owner = owner;
    }

    private interface Writing {
        void run() throws IOException;
    }

    private static void writing(Writing action) {
        try {
            action.run();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write the workspace", e);
        }
    }

    @Override
    public void directory(WorkspacePath path, int mode) {
        ensure(path);
        if (mode != ArchiveReader.DIRECTORY_MODE) {
            modes.put(path, mode);
        }
    }

    @Override
    public void file(WorkspacePath path, int mode, Unpacking.Content content) throws IOException {
        ensure(path.parent());
        Path file = at(path);
        MessageDigest digest = Tree.isGit(path) ? null : Sha256.newDigest();
        try (FileChannel out = create(file)) {
            FileChannel source = content.channel();
            if (source == null) {
                copy(content, out, digest);
            } else {
                content.transferTo(out);
                if (digest != null) {
                    hash(file, digest);
                }
            }
        }
        writing(() -> owner.take(file, mode));
        if (digest != null) {
            nodes.put(path, new Tree.Node(Sha256.of(digest), false));
        }
    }

    private static FileChannel create(Path file) {
        try {
            return FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write the workspace", e);
        }
    }

    private void copy(Unpacking.Content content, FileChannel out, @Nullable MessageDigest digest)
            throws IOException {
        for (int n = content.read(buffer.array()); n >= 0; n = content.read(buffer.array())) {
            if (digest != null) {
                digest.update(buffer.array(), 0, n);
            }
            buffer.position(0).limit(n);
            writing(
                    () -> {
                        while (buffer.hasRemaining()) {
                            out.write(buffer);
                        }
                    });
        }
    }

    private void hash(Path file, MessageDigest digest) {
        writing(() -> FileDigests.update(digest, file, buffer.array()));
    }

    @Override
    public void symlink(WorkspacePath path, String target) {
        ensure(path.parent());
        symlinks.put(path, target);
        if (!Tree.isGit(path)) {
            byte[] text = target.getBytes(StandardCharsets.UTF_8);
            nodes.put(path, new Tree.Node(Sha256.of(text), true));
        }
    }

    @Override
    public void hardLink(WorkspacePath path, WorkspacePath original) {
        ensure(path.parent());
        writing(() -> Files.createLink(at(path), at(original)));
        Tree.Node node = nodes.get(original);
        if (!Tree.isGit(path)) {
            nodes.put(path, node != null ? node : hashed(path));
        }
    }

    /** A link out of {@code .git}, whose files are not hashed as they pass. */
    private Tree.Node hashed(WorkspacePath path) {
        MessageDigest digest = Sha256.newDigest();
        hash(at(path), digest);
        return new Tree.Node(Sha256.of(digest), false);
    }

    /**
     * Writes what has to come last.
     *
     * @return what was written, frozen
     */
    Tree finish() {
        writing(
                () -> {
                    for (var link : symlinks.entrySet()) {
                        Path path = at(link.getKey());
                        Files.createSymbolicLink(path, Path.of(link.getValue()));
                        owner.take(path);
                    }
                    for (var mode : modes.descendingMap().entrySet()) {
                        owner.take(at(mode.getKey()), mode.getValue());
                    }
                });
        return new Tree(nodes);
    }

    private void ensure(@Nullable WorkspacePath directory) {
        if (directory == null || !directories.add(directory)) {
            return;
        }
        ensure(directory.parent());
        Path path = at(directory);
        writing(
                () -> {
                    Files.createDirectory(path);
                    owner.take(path, ArchiveReader.DIRECTORY_MODE);
                });
    }

    private Path at(WorkspacePath path) {
        return root.resolve(path.value());
    }
}
