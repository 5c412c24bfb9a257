package io.countersign.artefact;

import org.apache.commons.compress.archivers.zip.ZipArchiveEntry;
import org.apache.commons.compress.archivers.zip.ZipFile;
import org.jspecify.annotations.Nullable;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.zip.CRC32;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;

/** Reads zip from a file: its directory stands at the end. Stored and deflated entries only. */
final class ZipReader implements ArchiveReader {
    private static final int TYPE = 0170000;
    private static final int REGULAR = 0100000;
    private static final int DIRECTORY = 0040000;
    private static final int SYMLINK = 0120000;

    private final FileChannel channel;
    private final ZipFile zip;
    private final Iterator<ZipArchiveEntry> entries;
    private @Nullable Content content;

    /**
     * @throws IOException when the archive is broken or cut off
     */
    ZipReader(Path file, ArchiveLimits limits) throws IOException {
        channel = FileChannel.open(file, StandardOpenOption.READ);
        try {
            ZipLayout layout = ZipLayout.of(channel, limits);
            // Names are the raw bytes: an extra field must not rename an entry behind its header.
            zip =
                    ZipFile.builder()
                            .setSeekableByteChannel(channel)
                            .setCharset(StandardCharsets.UTF_8)
                            .setUseUnicodeExtraFields(false)
                            .get();
            List<ZipArchiveEntry> all = Collections.list(zip.getEntriesInPhysicalOrder());
            layout.check(all);
            entries = all.iterator();
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    @Override
    public @Nullable ArchiveEntry next() throws IOException {
        endContent();
        if (!entries.hasNext()) {
            return null;
        }
        ZipArchiveEntry entry = entries.next();
        byte[] raw = entry.getRawName();
        String name = Utf8.decode(raw, 0, raw.length);
        if (entry.getGeneralPurposeBit().usesEncryption()) {
            throw Refusals.unreadable("the entry " + Shown.text(name) + " is encrypted");
        }
        content = new Content(name, entry);
        int mode = entry.getPlatform() == ZipArchiveEntry.PLATFORM_UNIX ? entry.getUnixMode() : 0;
        int permissions = mode & 0777;
        return switch (mode & TYPE) {
            case SYMLINK -> new ArchiveEntry.Symlink(name, target(name));
            case DIRECTORY -> directory(name, permissions == 0 ? DIRECTORY_MODE : permissions);
            case 0, REGULAR ->
                    name.endsWith("/")
                            ? directory(name, permissions == 0 ? DIRECTORY_MODE : permissions)
                            : new ArchiveEntry.RegularFile(
                                    name, mode == 0 ? FILE_MODE : permissions);
            default -> throw Refusals.unsafe(name, "is a device file, a pipe or a socket");
        };
    }

    private ArchiveEntry directory(String name, int mode) throws IOException {
        if (content().read() >= 0) {
            throw Refusals.unsafe(name, "has content although it is a directory");
        }
        return new ArchiveEntry.Directory(name, mode);
    }

    private String target(String name) throws IOException {
        byte[] target = content().readNBytes(WorkspacePath.MAX_BYTES + 1);
        if (target.length > WorkspacePath.MAX_BYTES) {
            throw Refusals.unsafe(name, "is a symlink whose target is too long");
        }
        return Utf8.decode(target, 0, target.length);
    }

    @Override
    public InputStream content() {
        if (content == null) {
            throw new IllegalStateException("no entry was read");
        }
        return content;
    }

    private void endContent() {
        if (content != null) {
            content.inflater.end();
            content = null;
        }
    }

    @Override
    public void close() throws IOException {
        endContent();
        zip.close();
        channel.close();
    }

    /** One entry's content, which has to be exactly what the directory says of it. */
    private final class Content extends InputStream {
        private final Inflater inflater = new Inflater(true);
        private final CRC32 crc = new CRC32();
        private final ZipArchiveEntry entry;
        private final InputStream in;
        private long read;

        Content(String name, ZipArchiveEntry entry) throws IOException {
            this.entry = entry;
            InputStream raw = zip.getRawInputStream(entry);
            this.in =
                    switch (entry.getMethod()) {
                        case ZipArchiveEntry.STORED -> raw;
                        case ZipArchiveEntry.DEFLATED ->
                                // zlib asks for one byte more when there is no zlib header.
                                new InflaterInputStream(
                                        new SequenceInputStream(
                                                raw, new ByteArrayInputStream(new byte[1])),
                                        inflater,
                                        8192);
                        default ->
                                throw Refusals.unreadable(
                                        "the entry "
                                                + Shown.text(name)
                                                + " is compressed with method "
                                                + entry.getMethod()
                                                + "; only deflate is read");
                    };
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] buffer, int offset, int length) throws IOException {
            int n = in.read(buffer, offset, length);
            if (n > 0) {
                read += n;
                crc.update(buffer, offset, n);
            } else if (n < 0) {
                verify();
            }
            return n;
        }

        private void verify() throws IOException {
            boolean whole =
                    entry.getMethod() == ZipArchiveEntry.STORED
                            || inflater.getBytesRead() == entry.getCompressedSize();
            if (!whole || read != entry.getSize() || crc.getValue() != entry.getCrc()) {
                throw new BrokenArchiveException(
                        "the content of " + Shown.text(entry.getName()) + " is damaged");
            }
        }
    }
}
