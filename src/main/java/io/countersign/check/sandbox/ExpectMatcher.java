package io.countersign.check.sandbox;

import java.nio.charset.StandardCharsets;

/**
 * Looks for one text in a whole stream (Knuth, Morris and Pratt), terminal sequences removed, in
 * constant memory: nothing is cut before it was matched.
 */
final class ExpectMatcher {
    private final byte[] pattern;
    private final int[] fallback;
    private final AnsiFilter filter = new AnsiFilter();
    private final AnsiFilter.Sink sink = this::match;
    private int matched;
    private boolean found;

    ExpectMatcher(String expect) {
        pattern = expect.getBytes(StandardCharsets.UTF_8);
        fallback = fallbacks(pattern);
        found = pattern.length == 0;
    }

    private static int[] fallbacks(byte[] pattern) {
        int[] fallback = new int[pattern.length];
        for (int i = 1, k = 0; i < pattern.length; i++) {
            while (k > 0 && pattern[i] != pattern[k]) k = fallback[k - 1];
            if (pattern[i] == pattern[k]) k++;
            fallback[i] = k;
        }
        return fallback;
    }

    void accept(byte[] bytes, int length) {
        for (int i = 0; i < length && !found; i++) filter.accept(bytes[i] & 0xff, sink);
    }

    private void match(int unsignedByte) {
        if (found) return;
        byte b = (byte) unsignedByte;
        while (matched > 0 && b != pattern[matched]) matched = fallback[matched - 1];
        if (b == pattern[matched]) matched++;
        found = matched == pattern.length;
    }

    boolean found() {
        return found;
    }
}
