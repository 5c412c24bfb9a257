package io.countersign.artefact;

import io.countersign.kernel.ProblemException;

import org.jspecify.annotations.Nullable;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;

/** Reads the entries of one archive, in order. Not safe for use by several threads. */
interface ArchiveReader extends Closeable {
    /** The permission bits of files whose archive holds none. */
    int FILE_MODE = 0644;

    /** The permission bits of directories whose archive holds none. */
    int DIRECTORY_MODE = 0755;

    /**
     * The next entry; null when there is none and the archive ends as it should.
     *
     * @throws IOException when the archive is broken or cut off
     * @throws ProblemException when an entry is of a kind that is not allowed
     */
    @Nullable ArchiveEntry next() throws IOException;

    /** The content of the regular file that {@link #next} answered last; need not be closed. */
    InputStream content() throws IOException;
}
