package io.countersign.artefact;

import io.countersign.kernel.ProblemCode;
import io.countersign.kernel.ProblemException;

import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import java.util.function.IntFunction;

/** Reads numbered chunks, from 0, as one stream that has to be of the right length. */
final class ChunkStream extends InputStream {
    private final IntFunction<Optional<byte[]>> chunks;
    private long left;
    private byte[] chunk = new byte[0];
    private int next;
    private int at;

    ChunkStream(IntFunction<Optional<byte[]>> chunks, long bytes) {
        this.chunks = chunks;
        this.left = bytes;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
        if (left == 0) {
            return -1;
        }
        if (at == chunk.length) {
            chunk = chunks.apply(next++).orElseThrow(ChunkStream::gone);
            at = 0;
        }
        int n = Math.min(length, chunk.length - at);
        System.arraycopy(chunk, at, buffer, offset, n);
        at += n;
        left -= n;
        return n;
    }

    /** Not an IOException, which would be taken for a broken archive. */
    private static ProblemException gone() {
        return new ProblemException(
                ProblemCode.UNKNOWN_BLOB, "the files expired while they were read");
    }
}
