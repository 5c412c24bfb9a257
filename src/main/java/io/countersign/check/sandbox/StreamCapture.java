package io.countersign.check.sandbox;

import io.countersign.kernel.Sha256;

import org.jspecify.annotations.Nullable;

import java.io.ByteArrayOutputStream;
import java.security.MessageDigest;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Takes in one output stream and keeps its head and its tail. Memory grows with what is kept, never
 * with what is written. One thread writes; any thread may read.
 */
final class StreamCapture {
    private final int half;
    private final AtomicLong total;
    private final @Nullable ExpectMatcher matcher;
    private final MessageDigest digest = Sha256.newDigest();
    private final ByteArrayOutputStream head = new ByteArrayOutputStream();
    private final Deque<byte[]> tail = new ArrayDeque<>();
    private int tailBytes;
    private long bytes;

    /**
     * @param kept bytes to keep, half of them as head
     * @param total counts the bytes of all streams of the run
     */
    StreamCapture(long kept, @Nullable String expect, AtomicLong total) {
        this.half = (int) Math.min(kept / 2, Integer.MAX_VALUE / 2);
        this.total = total;
        this.matcher = expect == null ? null : new ExpectMatcher(expect);
    }

    synchronized void accept(byte[] chunk, int length) {
        digest.update(chunk, 0, length);
        if (matcher != null) matcher.accept(chunk, length);
        bytes += length;
        total.addAndGet(length);
        int toHead = Math.min(length, half - head.size());
        head.write(chunk, 0, toHead);
        if (toHead < length) appendToTail(chunk, toHead, length - toHead);
    }

    private void appendToTail(byte[] chunk, int from, int length) {
        byte[] piece = new byte[length];
        System.arraycopy(chunk, from, piece, 0, length);
        tail.addLast(piece);
        tailBytes += length;
        while (!tail.isEmpty() && tailBytes - tail.getFirst().length >= half) {
            tailBytes -= tail.removeFirst().length;
        }
    }

    synchronized boolean found() {
        return matcher != null && matcher.found();
    }

    synchronized Captured captured() {
        int kept = Math.min(tailBytes, half);
        byte[] end = new byte[kept];
        int at = kept;
        for (var pieces = tail.descendingIterator(); pieces.hasNext() && at > 0; ) {
            byte[] piece = pieces.next();
            int length = Math.min(piece.length, at);
            at -= length;
            System.arraycopy(piece, piece.length - length, end, at, length);
        }
        byte[] start = head.toByteArray();
        if (bytes > (long) start.length + kept) return new Captured(start, end, bytes, sha256());
        byte[] all = Arrays.copyOf(start, start.length + kept);
        System.arraycopy(end, 0, all, start.length, kept);
        return new Captured(all, new byte[0], bytes, sha256());
    }

    private Sha256 sha256() {
        try {
            return Sha256.of((MessageDigest) digest.clone());
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException("the JDK's SHA-256 can be cloned", e);
        }
    }
}
