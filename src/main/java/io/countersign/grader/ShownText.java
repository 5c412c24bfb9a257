package io.countersign.grader;

import io.countersign.scrub.Scrubber;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/**
 * Untrusted text as the grader reads it: decoded leniently, scrubbed, without control characters,
 * and with everything that hides or reorders text made visible.
 */
final class ShownText {
    private ShownText() {}

    static String of(byte[] bytes) {
        try {
            return of(lenient().decode(ByteBuffer.wrap(bytes)).toString());
        } catch (CharacterCodingException e) {
            throw new IllegalStateException("a replacing decoder does not fail", e);
        }
    }

    static String of(String text) {
        String clean = Scrubber.scrub(text.startsWith("\uFEFF") ? text.substring(1) : text);
        int hidden = firstHidden(clean);
        if (hidden == clean.length()) return clean;
        StringBuilder shown = new StringBuilder(clean.length() + 64).append(clean, 0, hidden);
        for (int i = hidden; i < clean.length(); ) {
            int c = clean.codePointAt(i);
            i += Character.charCount(c);
            if (hides(c)) shown.append("\\u{").append(Integer.toHexString(c)).append('}');
            else shown.appendCodePoint(c);
        }
        return shown.toString();
    }

    /** How many bytes of UTF-8 the text takes. */
    static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    /**
     * The longest beginning of the text within {@code max} bytes, at a line's end if one is near.
     */
    static String cut(String text, int max) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        if (bytes.length <= max) return text;
        CharBuffer head = CharBuffer.allocate(Math.max(max, 0));
        lenient()
                .onMalformedInput(CodingErrorAction.REPORT)
                .decode(ByteBuffer.wrap(bytes, 0, Math.max(max, 0)), head, false);
        String kept = head.flip().toString();
        int line = kept.lastIndexOf('\n');
        return line > kept.length() - 200 && line > 0 ? kept.substring(0, line + 1) : kept;
    }

    private static CharsetDecoder lenient() {
        return StandardCharsets.UTF_8
                .newDecoder()
                .onMalformedInput(CodingErrorAction.REPLACE)
                .onUnmappableCharacter(CodingErrorAction.REPLACE);
    }

    private static int firstHidden(String text) {
        for (int i = 0; i < text.length(); ) {
            int c = text.codePointAt(i);
            if (hides(c)) return i;
            i += Character.charCount(c);
        }
        return text.length();
    }

    /** Direction marks, line separators that are no line feed, and what has no width. */
    private static boolean hides(int c) {
        return switch (c) {
            case 0x061C, 0x200B, 0x200E, 0x200F, 0x2028, 0x2029, 0x2060, 0xFEFF -> true;
            default ->
                    c >= 0x202A && c <= 0x202E
                            || c >= 0x2066 && c <= 0x2069
                            || c >= 0xE0000 && c <= 0xE007F;
        };
    }
}
