package io.countersign.artefact;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.Set;

/**
 * Reads a mounted directory as if it were an archive. Its owner may change it meanwhile, also to
 * lure the service elsewhere: every directory and file is opened relative to its parent, without
 * following symlinks.
 */
final class MountReader implements ArchiveReader {
    /** Each level holds a descriptor. */
    private static final int MAX_DEPTH = 200;

    private final Path root;
    private final Deque<Level> levels = new ArrayDeque<>();
    private @Nullable FileContent content;

    private record Level(
            String prefix, SecureDirectoryStream<Path> directory, Iterator<Path> names) {}

    /** A file's bytes, with the channel that they come from. */
    static final class FileContent extends InputStream {
        private final FileChannel channel;

        FileContent(FileChannel channel) {
            this.channel = channel;
        }

        FileChannel channel() {
            return channel;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] buffer, int offset, int length) throws IOException {
            return channel.read(ByteBuffer.wrap(buffer, offset, length));
        }
    }

    /**
     * @param trusted a directory whose path nobody but the operator can redirect
     * @param below the directory to read, relative to it, without symlinks
     * @throws IOException when it cannot be opened
     */
    MountReader(Path trusted, Path below) throws IOException {
        this.root = trusted.resolve(below);
        SecureDirectoryStream<Path> directory = secure(Files.newDirectoryStream(trusted));
        for (Path name : below) {
            if (!name.toString().isEmpty()) {
                directory = into(directory, name);
            }
        }
        levels.push(new Level("", directory, directory.iterator()));
    }

    private static SecureDirectoryStream<Path> into(
            SecureDirectoryStream<Path> directory, Path name) throws IOException {
        try (directory) {
            return directory.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS);
        }
    }

    private static SecureDirectoryStream<Path> secure(DirectoryStream<Path> directory)
            throws IOException {
        if (directory instanceof SecureDirectoryStream<Path> secure) {
            return secure;
        }
        directory.close();
        throw new IOException("this platform cannot read a directory that may change safely");
    }

    @Override
    public @Nullable ArchiveEntry next() {
        try {
            closeContent();
            return walk();
        } catch (IOException | DirectoryIteratorException e) {
            throw Refusals.unreadable(
                    "the mounted directory cannot be read: a file in it changed meanwhile, or is"
                            + " not readable for the service");
        }
    }

    private @Nullable ArchiveEntry walk() throws IOException {
        while (!levels.isEmpty()) {
            Level level = levels.element();
            if (!level.names().hasNext()) {
                levels.pop().directory().close();
                continue;
            }
            ArchiveEntry entry = entry(level, level.names().next().getFileName());
            if (entry != null) {
                return entry;
            }
        }
        return null;
    }

    private @Nullable ArchiveEntry entry(Level level, Path file) throws IOException {
        String path = level.prefix() + file;
        if (!Path.of(file.toString()).equals(file)) {
            throw Refusals.unsafe(path, "has a name that is not UTF-8");
        }
        PosixFileAttributes attributes =
                level.directory()
                        .getFileAttributeView(
                                file, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                        .readAttributes();
        if (attributes.isSymbolicLink()) {
            return new ArchiveEntry.Symlink(
                    path, Files.readSymbolicLink(root.resolve(path)).toString());
        }
        if (attributes.isDirectory()) {
            descend(level, file, path);
            return new ArchiveEntry.Directory(path, mode(attributes));
        }
        if (attributes.isRegularFile()) {
            content = new FileContent(open(level, file));
            return new ArchiveEntry.RegularFile(path, mode(attributes));
        }
        if (path.startsWith(".git/")) {
            return null; // git's own sockets
        }
        throw Refusals.unsafe(path, "is a device file, a pipe or a socket");
    }

    private void descend(Level level, Path name, String path) throws IOException {
        if (levels.size() >= MAX_DEPTH) {
            throw Refusals.tooLarge("there are more than " + MAX_DEPTH + " directories in a row");
        }
        SecureDirectoryStream<Path> directory =
                level.directory().newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS);
        levels.push(new Level(path + "/", directory, directory.iterator()));
    }

    private static FileChannel open(Level level, Path file) throws IOException {
        return (FileChannel)
                level.directory()
                        .newByteChannel(
                                file, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS));
    }

    private static int mode(PosixFileAttributes attributes) {
        int mode = 0;
        for (PosixFilePermission permission : attributes.permissions()) {
            mode |= 0400 >> permission.ordinal();
        }
        return mode;
    }

    @Override
    public InputStream content() {
        if (content == null) {
            throw new IllegalStateException("no file was read");
        }
        return content;
    }

    private void closeContent() throws IOException {
        if (content != null) {
            content.channel().close();
            content = null;
        }
    }

    @Override
    public void close() throws IOException {
        closeContent();
        while (!levels.isEmpty()) {
            levels.pop().directory().close();
        }
    }
}
