package io.countersign.check.report;

import org.jspecify.annotations.Nullable;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Ends with an error after a number of bytes, and remembers why it ended. */
final class BoundedInput extends FilterInputStream {
    private long left;
    private boolean exhausted;
    private @Nullable IOException failure;

    BoundedInput(InputStream in, long limit) {
        super(in);
        this.left = limit;
    }

    boolean exhausted() {
        return exhausted;
    }

    /** The disk's own error; null when there was none. */
    @Nullable IOException failure() {
        return failure;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
        int n;
        try {
            n = super.read(buffer, offset, length);
        } catch (IOException e) {
            failure = e;
            throw e;
        }
        if (n > 0 && (left -= n) < 0) {
            exhausted = true;
            throw new IOException("over the limit");
        }
        return n;
    }
}
