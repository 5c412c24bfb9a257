package io.countersign.check.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.countersign.kernel.Sha256;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;

class StreamCaptureTests {
    private static final int KEPT = 100;

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 49, 50, 51, 99, 100})
    void keepsEverythingUpToItsBound(int length) {
        byte[] all = bytes(length);
        Captured captured = captured(all, new Random(length), new AtomicLong());
        assertThat(captured.head()).isEqualTo(all);
        assertThat(captured.tail()).isEmpty();
        assertThat(captured.truncated()).isFalse();
        assertThat(captured.sha256()).isEqualTo(Sha256.of(all));
    }

    @ParameterizedTest
    @ValueSource(ints = {101, 102, 149, 150, 1000, 100_000})
    void keepsHalfAsHeadAndHalfAsTailPastIt(int length) {
        byte[] all = bytes(length);
        var total = new AtomicLong();
        Captured captured = captured(all, new Random(length), total);
        assertThat(captured.head()).isEqualTo(Arrays.copyOf(all, KEPT / 2));
        assertThat(captured.tail()).isEqualTo(Arrays.copyOfRange(all, length - KEPT / 2, length));
        assertThat(captured.bytes()).isEqualTo(length);
        assertThat(total).hasValue(length);
        assertThat(captured.truncated()).isTrue();
        assertThat(captured.sha256()).isEqualTo(Sha256.of(all));
    }

    private static byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
    }

    private static Captured captured(byte[] all, Random random, AtomicLong total) {
        var capture = new StreamCapture(KEPT, null, total);
        for (int at = 0; at < all.length; ) {
            int length = Math.min(1 + random.nextInt(120), all.length - at);
            capture.accept(Arrays.copyOfRange(all, at, at + length), length);
            at += length;
        }
        assertThat(capture.found()).isFalse();
        return capture.captured();
    }
}
