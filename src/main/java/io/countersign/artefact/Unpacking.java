package io.countersign.artefact;

import io.countersign.kernel.ProblemException;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.util.Objects;

/** Takes every entry of an archive past the rules, and each one that keeps them to a sink. */
final class Unpacking {
    private Unpacking() {}

    /**
     * Where entries go. Whatever fails to be written is an {@link UncheckedIOException}, so that it
     * cannot be taken for a broken archive.
     */
    interface Sink {
        void directory(WorkspacePath path, int mode);

        /** Reads {@code content} to its end. */
        void file(WorkspacePath path, int mode, Content content) throws IOException;

        void symlink(WorkspacePath path, String target);

        void hardLink(WorkspacePath path, WorkspacePath original);
    }

    /** The content of a file, counted as it is read. */
    static final class Content {
        private final InputStream in;
        private final ArchiveRules rules;
        private long size;

        Content(InputStream in, ArchiveRules rules) {
            this.in = in;
            this.rules = rules;
        }

        /** The file that holds the content, from its start; null when it comes as a stream. */
        @Nullable FileChannel channel() {
            return in instanceof MountReader.FileContent file ? file.channel() : null;
        }

        /** Copies the whole file inside the kernel, which shares the blocks where it can. */
        void transferTo(FileChannel out) throws IOException {
            FileChannel source = Objects.requireNonNull(channel(), "it is a stream");
            size = source.size();
            rules.unpacked(size);
            long done = 0;
            while (done < size) {
                long n = source.transferTo(done, size - done, out);
                if (n <= 0) {
                    throw new BrokenArchiveException("a file changed while it was copied");
                }
                done += n;
            }
        }

        /**
         * @return -1 at the end
         * @throws ProblemException when the archive unpacks to more than is allowed
         */
        int read(byte[] buffer) throws IOException {
            if (Thread.currentThread().isInterrupted()) {
                throw new InterruptedIOException();
            }
            int n = in.read(buffer);
            if (n > 0) {
                size += n;
                rules.unpacked(n);
            }
            return n;
        }
    }

    /** Keeps nothing: the archive is only checked. */
    static final class Check implements Sink {
        private final byte[] buffer = new byte[1 << 16];
        private final boolean contents;

        /**
         * @param contents whether to read them too
         */
        Check(boolean contents) {
            this.contents = contents;
        }

        @Override
        public void directory(WorkspacePath path, int mode) {}

        @Override
        public void file(WorkspacePath path, int mode, Content content) throws IOException {
            int n = contents ? 0 : -1;
            while (n >= 0) {
                n = content.read(buffer);
            }
        }

        @Override
        public void symlink(WorkspacePath path, String target) {}

        @Override
        public void hardLink(WorkspacePath path, WorkspacePath original) {}
    }

    /**
     * Runs to the end of the archive.
     *
     * @throws ProblemException 422 when the archive is broken or keeps a rule not
     * @throws InterruptedException when the thread is interrupted
     */
    static void run(ArchiveReader reader, ArchiveRules rules, Sink sink)
            throws InterruptedException {
        try {
            for (ArchiveEntry entry = reader.next(); entry != null; entry = reader.next()) {
                WorkspacePath path = rules.path(entry);
                if (path != null) {
                    take(entry, path, reader, rules, sink);
                }
            }
        } catch (InterruptedIOException | ClosedByInterruptException e) {
            throw interrupted();
        } catch (IOException e) {
            throw Archives.unreadable(e);
        } catch (UncheckedIOException e) {
            if (e.getCause() instanceof ClosedByInterruptException) {
                throw interrupted();
            }
            throw e;
        }
        rules.finish();
    }

    private static InterruptedException interrupted() {
        Thread.interrupted(); // the exception takes the flag's place
        return new InterruptedException();
    }

    private static void take(
            ArchiveEntry entry,
            WorkspacePath path,
            ArchiveReader reader,
            ArchiveRules rules,
            Sink sink)
            throws IOException {
        switch (entry) {
            case ArchiveEntry.Directory directory -> {
                rules.directory(path);
                sink.directory(path, directory.mode());
            }
            case ArchiveEntry.RegularFile file -> {
                rules.file(path);
                Content content = new Content(reader.content(), rules);
                sink.file(path, file.mode(), content);
                rules.sized(path, content.size);
            }
            case ArchiveEntry.Symlink link -> {
                rules.symlink(path, link.target());
                sink.symlink(path, link.target());
            }
            case ArchiveEntry.HardLink link ->
                    sink.hardLink(path, rules.hardLink(path, link.target()));
        }
    }
}
