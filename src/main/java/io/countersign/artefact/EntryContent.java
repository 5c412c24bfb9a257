package io.countersign.artefact;

import java.io.IOException;
import java.io.InputStream;

/** The next bytes of a longer stream, all of which have to be there. Closing it closes nothing. */
final class EntryContent extends InputStream {
    private final InputStream in;
    private long left;

    EntryContent(InputStream in, long length) {
        this.in = in;
        this.left = length;
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
        int n = in.read(buffer, offset, (int) Math.min(length, left));
        if (n < 0) {
            throw new BrokenArchiveException("it ends within a file");
        }
        left -= n;
        return n;
    }

    /** Passes over what was not read. */
    void finish() throws IOException {
        in.skipNBytes(left);
        left = 0;
    }
}
