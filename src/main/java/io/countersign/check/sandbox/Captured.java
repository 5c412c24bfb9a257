package io.countersign.check.sandbox;

import io.countersign.kernel.Sha256;

/**
 * One stream, bytes first: nothing is decoded before it is bounded.
 *
 * @param head the first bytes, all of them when nothing was cut
 * @param tail the last bytes; empty when nothing was cut
 * @param bytes how many the process wrote; the gap is {@code bytes - head.length - tail.length}
 * @param sha256 of all of them
 */
@SuppressWarnings("ArrayRecordComponent") // never compared; copying megabytes would buy nothing
public record Captured(byte[] head, byte[] tail, long bytes, Sha256 sha256) {
    public boolean truncated() {
        return bytes > (long) head.length + tail.length;
    }
}
