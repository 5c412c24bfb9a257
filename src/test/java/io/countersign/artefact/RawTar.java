package io.countersign.artefact;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Writes tar archives header by header, also such that no library would write. */
final class RawTar {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    RawTar file(String name, String content) {
        return file(name, content.getBytes(StandardCharsets.UTF_8), 0644);
    }

    RawTar file(String name, byte[] content, int mode) {
        return entry(name, '0', mode, "", content);
    }

    RawTar directory(String name, int mode) {
        return entry(name, '5', mode, "", new byte[0]);
    }

    RawTar symlink(String name, String target) {
        return entry(name, '2', 0777, target, new byte[0]);
    }

    RawTar hardLink(String name, String target) {
        return entry(name, '1', 0644, target, new byte[0]);
    }

    /** A pax header for the next entry; records are {@code key=value}. */
    RawTar pax(String... records) {
        return extension('x', records);
    }

    RawTar extension(char type, String... records) {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        for (String record : records) {
            byte[] bytes = (" " + record + "\n").getBytes(StandardCharsets.UTF_8);
            int length = bytes.length + 1;
            while (length != bytes.length + String.valueOf(length).length()) {
                length = bytes.length + String.valueOf(length).length();
            }
            body.writeBytes(String.valueOf(length).getBytes(StandardCharsets.US_ASCII));
            body.writeBytes(bytes);
        }
        return entry("pax", type, 0644, "", body.toByteArray());
    }

    RawTar longName(char type, String name) {
        return entry(
                "././@LongLink", type, 0644, "", (name + "\0").getBytes(StandardCharsets.UTF_8));
    }

    RawTar entry(String name, char type, int mode, String target, byte[] content) {
        return raw(header(name, type, mode, target, content.length)).content(content);
    }

    RawTar content(byte[] content) {
        out.writeBytes(content);
        out.writeBytes(new byte[-content.length & 511]);
        return this;
    }

    RawTar raw(byte[] bytes) {
        out.writeBytes(bytes);
        return this;
    }

    static byte[] header(String name, char type, int mode, String target, long size) {
        byte[] block = new byte[512];
        put(block, 0, 100, name);
        put(block, 100, 8, "%07o".formatted(mode));
        put(block, 108, 8, "0000000");
        put(block, 116, 8, "0000000");
        put(block, 124, 12, "%011o".formatted(size));
        put(block, 136, 12, "00000000000");
        block[156] = (byte) type;
        put(block, 157, 100, target);
        put(block, 257, 8, "ustar\00000");
        return sign(block);
    }

    /** Writes the checksum that fits the block. */
    static byte[] sign(byte[] block) {
        Arrays.fill(block, 148, 156, (byte) ' ');
        int sum = 0;
        for (byte b : block) {
            sum += b & 0xff;
        }
        put(block, 148, 8, "%06o\0 ".formatted(sum));
        return block;
    }

    static void put(byte[] block, int at, int length, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        System.arraycopy(bytes, 0, block, at, Math.min(bytes.length, length));
    }

    /** What was written, without an end mark. */
    byte[] open() {
        return out.toByteArray();
    }

    byte[] end() {
        return raw(new byte[1024]).open();
    }
}
