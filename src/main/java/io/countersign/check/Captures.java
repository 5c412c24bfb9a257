package io.countersign.check;

import io.countersign.check.report.RunOutput;
import io.countersign.check.sandbox.Captured;
import io.countersign.check.sandbox.Output;
import io.countersign.scrub.Bounded;
import io.countersign.scrub.Scrubber;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** Turns captured bytes into text that may be stored and shown, and into lines to read. */
final class Captures {
    /** The longest text that is stored of one stream, in UTF-16 units. */
    static final int MAX_STORED = 1 << 20;

    /** How far from the gap a line's end is looked for; beyond it, this much is given up. */
    private static final int NEAR_GAP = 64 * 1024;

    private static final String KEY_END = " PRIVATE KEY-----";

    private Captures() {}

    /**
     * The stream scrubbed and then cut. Where the sandbox has already left a gap, whole lines are
     * given up on both sides of it: half a secret has no shape to know it by.
     */
    static CapturedText text(Captured captured) {
        if (!captured.truncated()) {
            String raw = utf8(whole(captured));
            String text = Bounded.headTail(raw, MAX_STORED);
            return new CapturedText(
                    text, captured.bytes(), raw.length() > MAX_STORED, captured.sha256());
        }
        byte[] head = wholeLinesOfHead(captured.head());
        byte[] tail = wholeLinesOfTail(captured.tail());
        String first = Scrubber.scrub(utf8(head));
        String last = Scrubber.scrub(withoutEndOfKey(utf8(tail)));
        int half = MAX_STORED / 2;
        if (first.length() > half) first = first.substring(0, floor(first, half));
        if (last.length() > half) last = last.substring(floor(last, last.length() - half));
        long gap =
                captured.bytes()
                        - first.getBytes(StandardCharsets.UTF_8).length
                        - last.getBytes(StandardCharsets.UTF_8).length;
        String text = first + "\n[... about " + Math.max(0, gap) + " bytes left out ...]\n" + last;
        return new CapturedText(text, captured.bytes(), true, captured.sha256());
    }

    /** What the readers of test summaries see. */
    static RunOutput lines(Output output) {
        return new RunOutput(List.of(stream(output.stdout()), stream(output.stderr())));
    }

    private static RunOutput.Stream stream(Captured captured) {
        return captured.truncated()
                ? new RunOutput.Stream(
                        utf8(wholeLinesOfHead(captured.head())),
                        utf8(wholeLinesOfTail(captured.tail())))
                : new RunOutput.Stream(utf8(whole(captured)), null);
    }

    /** The last line that is not blank, of stdout or else of stderr; null when there is none. */
    static @Nullable String lastLine(CapturedText stdout, CapturedText stderr) {
        String line = lastLine(stdout.text());
        return line == null ? lastLine(stderr.text()) : line;
    }

    private static @Nullable String lastLine(String text) {
        int end = text.length();
        while (end > 0) {
            int start = text.lastIndexOf('\n', end - 1) + 1;
            String line = text.substring(start, end).strip();
            if (!line.isEmpty()) return line;
            end = start - 1;
        }
        return null;
    }

    private static byte[] whole(Captured captured) {
        byte[] head = captured.head();
        byte[] tail = captured.tail();
        if (tail.length == 0) return head;
        byte[] all = Arrays.copyOf(head, head.length + tail.length);
        System.arraycopy(tail, 0, all, head.length, tail.length);
        return all;
    }

    private static byte[] wholeLinesOfHead(byte[] head) {
        int least = Math.max(0, head.length - NEAR_GAP);
        for (int end = head.length; end > least; end--) {
            if (head[end - 1] == '\n') return Arrays.copyOf(head, end);
        }
        return Arrays.copyOf(head, least);
    }

    private static byte[] wholeLinesOfTail(byte[] tail) {
        int most = Math.min(tail.length, NEAR_GAP);
        for (int start = 0; start < most; start++) {
            if (tail[start] == '\n') return Arrays.copyOfRange(tail, start + 1, tail.length);
        }
        return Arrays.copyOfRange(tail, most, tail.length);
    }

    /** The rest of a private key whose beginning is lost in the gap has no header to know it by. */
    private static String withoutEndOfKey(String tail) {
        int end = tail.indexOf(KEY_END);
        int begin = tail.indexOf("-----BEGIN ");
        boolean cut = end >= 0 && (begin < 0 || end < begin);
        return cut ? tail.substring(end + KEY_END.length()) : tail;
    }

    private static int floor(String text, int index) {
        boolean inside =
                index > 0
                        && index < text.length()
                        && Character.isSurrogatePair(text.charAt(index - 1), text.charAt(index));
        return inside ? index - 1 : index;
    }

    private static String utf8(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
