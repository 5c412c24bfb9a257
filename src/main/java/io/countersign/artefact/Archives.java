package io.countersign.artefact;

import com.github.luben.zstd.ZstdInputStreamNoFinalizer;

import io.countersign.kernel.ProblemException;

import org.apache.commons.compress.compressors.gzip.GzipCompressorInputStream;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.LongSupplier;

/** The formats of archives, told apart by their first bytes, and their readers. */
final class Archives {
    private static final int ZSTD_WINDOW_LOG = 27; // what zstd itself reads without --long

    private Archives() {}

    /** How bytes that unpack to a workspace are packed; the name stands in {@code blob.format}. */
    enum Format {
        INLINE("inline"),
        TAR("tar"),
        TAR_GZ("tar.gz"),
        TAR_ZST("tar.zst"),
        ZIP("zip");

        private final String wire;

        Format(String wire) {
            this.wire = wire;
        }

        String wire() {
            return wire;
        }

        static Format ofWire(String wire) {
            for (Format format : values()) {
                if (format.wire.equals(wire)) {
                    return format;
                }
            }
            throw new IllegalArgumentException("there is no format " + wire);
        }
    }

    /**
     * Tells the format of an uploaded file. Its name and content type are not asked: they may lie.
     *
     * @throws ProblemException 422 when it is none of the four
     */
    static Format detect(Path file) throws IOException {
        byte[] head;
        try (InputStream in = Files.newInputStream(file)) {
            head = in.readNBytes(TarHeader.BLOCK);
        }
        if (startsWith(head, 0x1f, 0x8b)) {
            return Format.TAR_GZ;
        }
        if (startsWith(head, 0x28, 0xb5, 0x2f, 0xfd)) {
            return Format.TAR_ZST;
        }
        if (startsWith(head, 'P', 'K', 3, 4) || startsWith(head, 'P', 'K', 5, 6)) {
            return Format.ZIP;
        }
        if (head.length == TarHeader.BLOCK && (isZero(head) || TarHeader.isHeader(head))) {
            return Format.TAR;
        }
        throw Refusals.unreadable(
                head.length == 0
                        ? "the archive is empty"
                        : "it is no archive of a kind that is read here; send .tar, .tar.gz,"
                                + " .tar.zst or .zip");
    }

    private static boolean startsWith(byte[] bytes, int... magic) {
        if (bytes.length < magic.length) {
            return false;
        }
        for (int i = 0; i < magic.length; i++) {
            if ((bytes[i] & 0xff) != magic[i]) {
                return false;
            }
        }
        return true;
    }

    private static boolean isZero(byte[] bytes) {
        for (byte b : bytes) {
            if (b != 0) {
                return false;
            }
        }
        return true;
    }

    /**
     * Opens everything but zip, which is read from a file ({@link ZipReader}).
     *
     * @param bytes closed with the reader, and when opening fails
     */
    static ArchiveReader open(Format format, InputStream bytes, ArchiveRules rules)
            throws IOException {
        try {
            return switch (format) {
                case INLINE -> new InlineFiles(bytes);
                case TAR -> tar(bytes, rules);
                case TAR_GZ ->
                        tar(
                                GzipCompressorInputStream.builder()
                                        .setInputStream(new BufferedInputStream(bytes, 1 << 16))
                                        .setDecompressConcatenated(true)
                                        .get(),
                                rules);
                case TAR_ZST ->
                        tar(
                                new ZstdInputStreamNoFinalizer(bytes).setLongMax(ZSTD_WINDOW_LOG),
                                rules);
                case ZIP -> throw new IllegalArgumentException("zip is read from a file");
            };
        } catch (IOException | RuntimeException e) {
            bytes.close();
            throw e;
        }
    }

    private static ArchiveReader tar(InputStream tar, ArchiveRules rules) {
        return new TarReader(new Bounded(new BufferedInputStream(tar, 1 << 16), rules::maxRaw));
    }

    /** A broken archive as a 422; what libraries say of it is not shown. */
    static ProblemException unreadable(IOException e) {
        String why =
                switch (e) {
                    case BrokenArchiveException broken -> String.valueOf(broken.getMessage());
                    case EOFException cutOff -> "it is cut off";
                    default -> "it is damaged or cut off";
                };
        return Refusals.unreadable("the archive cannot be read: " + why);
    }

    /** Ends a decompressor that puts out more than an archive within its limits can hold. */
    private static final class Bounded extends InputStream {
        private final InputStream in;
        private final LongSupplier limit;
        private long read;

        Bounded(InputStream in, LongSupplier limit) {
            this.in = in;
            this.limit = limit;
        }

        @Override
        public int read() throws IOException {
            int b = in.read();
            count(b < 0 ? 0 : 1);
            return b;
        }

        @Override
        public int read(byte[] buffer, int offset, int length) throws IOException {
            int n = in.read(buffer, offset, length);
            count(Math.max(n, 0));
            return n;
        }

        private void count(int bytes) {
            read += bytes;
            if (read > limit.getAsLong()) {
                throw Refusals.tooLarge("it unpacks to far more than its files hold");
            }
        }

        @Override
        public void close() throws IOException {
            in.close();
        }
    }
}
