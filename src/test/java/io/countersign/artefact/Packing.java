package io.countersign.artefact;

import com.github.luben.zstd.Zstd;

import io.countersign.kernel.ProblemException;
import io.countersign.kernel.Sha256;

import org.apache.commons.compress.archivers.zip.ZipArchiveEntry;
import org.apache.commons.compress.archivers.zip.ZipArchiveOutputStream;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;

/** Packs and unpacks archives in tests. */
final class Packing {
    static final ArchiveLimits LIMITS = new ArchiveLimits(100_000, 1L << 30, 200);

    private Packing() {}

    static byte[] gzip(byte[] bytes) {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
            gzip.write(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return packed.toByteArray();
    }

    static byte[] zstd(byte[] bytes) {
        return Zstd.compress(bytes);
    }

    interface ZipBody {
        void write(ZipArchiveOutputStream zip) throws IOException;
    }

    static byte[] zip(ZipBody body) {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (ZipArchiveOutputStream zip = new ZipArchiveOutputStream(packed)) {
            body.write(zip);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return packed.toByteArray();
    }

    /**
     * @param mode with its type bits, as in {@code st_mode}; 0 for none
     */
    static void add(ZipArchiveOutputStream zip, String name, int mode, byte[] content)
            throws IOException {
        ZipArchiveEntry entry = new ZipArchiveEntry(name);
        if (mode != 0) {
            entry.setUnixMode(mode);
        }
        zip.putArchiveEntry(entry);
        zip.write(content);
        zip.closeArchiveEntry();
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Checks an archive as an upload is checked.
     *
     * @return how many files it holds
     * @throws ProblemException when it is refused
     */
    static int check(Path scratch, byte[] archive, ArchiveLimits limits) {
        ArchiveRules rules = new ArchiveRules(limits, archive.length);
        run(scratch, archive, limits, rules, new Unpacking.Check(true));
        return rules.files();
    }

    /** Unpacks an archive into an empty directory. */
    static Tree unpack(Path scratch, byte[] archive, Path into) {
        ArchiveRules rules = new ArchiveRules(LIMITS, archive.length);
        DiskSink sink = new DiskSink(into, FileOwner.service());
        run(scratch, archive, LIMITS, rules, sink);
        return sink.finish();
    }

    private static void run(
            Path scratch,
            byte[] archive,
            ArchiveLimits limits,
            ArchiveRules rules,
            Unpacking.Sink sink) {
        Path file = scratch.resolve(Sha256.of(archive).hex());
        try {
            Files.write(file, archive);
            Archives.Format format = Archives.detect(file);
            try (InputStream in = Files.newInputStream(file);
                    ArchiveReader reader =
                            format == Archives.Format.ZIP
                                    ? new ZipReader(file, limits)
                                    : Archives.open(format, in, rules)) {
                Unpacking.run(reader, rules, sink);
            }
        } catch (IOException e) {
            throw Archives.unreadable(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
