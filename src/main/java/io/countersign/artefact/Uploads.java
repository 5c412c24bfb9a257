package io.countersign.artefact;

import io.countersign.artefact.Archives.Format;
import io.countersign.kernel.Ids;
import io.countersign.kernel.ProblemCode;
import io.countersign.kernel.ProblemException;
import io.countersign.kernel.ProjectId;
import io.countersign.kernel.Sha256;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;

/**
 * Takes archives in: to disk first, so that a slow sender holds neither memory nor a database
 * connection, and past every rule before any of it is stored.
 */
final class Uploads {
    private static final int PRIVATE = 0600;

    private final BlobStore blobs;
    private final RunsDirectory runs;
    private final ArchiveLimits limits;
    private final long maxArchive;
    private final Ids ids;

    Uploads(BlobStore blobs, RunsDirectory runs, ArchiveLimits limits, long maxArchive, Ids ids) {
        this.blobs = blobs;
        this.runs = runs;
        this.limits = limits;
        this.maxArchive = maxArchive;
        this.ids = ids;
    }

    private record Checked(Format format, int files) {}

    ReceivedArchive receive(ProjectId project, InputStream archive) {
        Path file = runs.newFile(ids.next());
        boolean received = false;
        try {
            Sha256 sha256 = spool(archive, file);
            // What the project has already was checked when it came.
            Checked checked = blobs.touch(project, sha256) ? null : check(file);
            received = true;
            return new Received(project, file, sha256, Files.size(file), checked);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot keep an upload for the moment", e);
        } finally {
            if (!received) {
                runs.delete(file);
            }
        }
    }

    private final class Received implements ReceivedArchive {
        private final ProjectId project;
        private final Path file;
        private final Sha256 sha256;
        private final long bytes;
        private @Nullable Checked checked;

        Received(
                ProjectId project,
                Path file,
                Sha256 sha256,
                long bytes,
                @Nullable Checked checked) {
            this.project = project;
            this.file = file;
            this.sha256 = sha256;
            this.bytes = bytes;
            this.checked = checked;
        }

        @Override
        public Sha256 sha256() {
            return sha256;
        }

        @Override
        public StoredArchive store() {
            if (!blobs.touch(project, sha256)) {
                Checked now = checked == null ? check(file) : checked;
                checked = now;
                blobs.put(project, sha256, now.format(), now.files(), file);
            }
            return new StoredArchive(sha256, bytes, blobs.files(project, sha256));
        }

        @Override
        public void close() {
            runs.delete(file);
        }
    }

    private Sha256 spool(InputStream archive, Path file) throws IOException {
        MessageDigest digest = Sha256.newDigest();
        byte[] buffer = new byte[1 << 16];
        long bytes = 0;
        try (OutputStream out = Files.newOutputStream(file, StandardOpenOption.CREATE_NEW)) {
            FileOwner.service().take(file, PRIVATE);
            for (int n = read(archive, buffer); n >= 0; n = read(archive, buffer)) {
                bytes += n;
                if (bytes > maxArchive) {
                    throw new ProblemException(
                            ProblemCode.TOO_LARGE,
                            "the archive is larger than " + maxArchive + " bytes");
                }
                digest.update(buffer, 0, n);
                out.write(buffer, 0, n);
            }
        }
        return Sha256.of(digest);
    }

    private static int read(InputStream archive, byte[] buffer) {
        try {
            return archive.read(buffer);
        } catch (IOException e) {
            throw new ProblemException(
                    ProblemCode.UNREADABLE_REQUEST, "the upload ended before all of it was sent");
        }
    }

    /** Reads all of an archive without keeping any of it. */
    private Checked check(Path file) {
        try {
            Format format = Archives.detect(file);
            ArchiveRules rules = new ArchiveRules(limits, Files.size(file));
            try (ArchiveReader reader = open(file, format, rules)) {
                Unpacking.run(reader, rules, new Unpacking.Check(true));
            }
            return new Checked(format, rules.files());
        } catch (IOException e) {
            throw Archives.unreadable(e);
        } catch (InterruptedException e) {
            throw interrupted();
        }
    }

    private ArchiveReader open(Path file, Format format, ArchiveRules rules) throws IOException {
        return format == Format.ZIP
                ? new ZipReader(file, limits)
                : Archives.open(format, Files.newInputStream(file), rules);
    }

    /** An interrupted request, with the thread's flag restored. */
    static ProblemException interrupted() {
        Thread.currentThread().interrupt();
        return new ProblemException(ProblemCode.SHUTTING_DOWN, "the request was interrupted");
    }
}
