package io.countersign.artefact;

import java.io.IOException;

/**
 * One header block of a tar archive.
 *
 * @param mode the nine permission bits
 * @param size bytes of content that follow
 */
record TarHeader(String name, int mode, long size, char type, String target) {
    static final int BLOCK = 512;

    private static final int CHECKSUM_AT = 148;
    private static final int CHECKSUM_LENGTH = 8;

    /**
     * @throws IOException when the block is no tar header
     */
    static TarHeader parse(byte[] block) throws IOException {
        if (!isHeader(block)) {
            throw new BrokenArchiveException("a header's checksum is wrong");
        }
        String name = text(block, 0, 100);
        // Only POSIX ustar has a prefix there; GNU tar keeps times in these bytes.
        boolean posix = text(block, 257, 6).equals("ustar") && block[263] == '0';
        String prefix = posix ? text(block, 345, 155) : "";
        return new TarHeader(
                prefix.isEmpty() ? name : prefix + "/" + name,
                (int) number(block, 100, 8) & 0777,
                number(block, 124, 12),
                (char) (block[156] & 0xff),
                text(block, 157, 100));
    }

    /** Whether the block's checksum holds, which tells a tar archive that has no magic number. */
    static boolean isHeader(byte[] block) {
        long expected;
        try {
            expected = number(block, CHECKSUM_AT, CHECKSUM_LENGTH);
        } catch (IOException e) {
            return false;
        }
        long unsigned = 0;
        long signed = 0;
        for (int i = 0; i < BLOCK; i++) {
            boolean blank = i >= CHECKSUM_AT && i < CHECKSUM_AT + CHECKSUM_LENGTH;
            byte value = blank ? (byte) ' ' : block[i];
            unsigned += value & 0xff;
            signed += value;
        }
        return expected == unsigned || expected == signed;
    }

    private static String text(byte[] block, int offset, int length) throws IOException {
        int end = offset;
        while (end < offset + length && block[end] != 0) {
            end++;
        }
        return Utf8.decode(block, offset, end - offset);
    }

    /** Octal digits between spaces and NULs, or GNU's big-endian form, told by its first bit. */
    private static long number(byte[] block, int offset, int length) throws IOException {
        if ((block[offset] & 0x80) != 0) {
            return binary(block, offset, length);
        }
        long value = 0;
        boolean digits = false;
        for (int i = offset; i < offset + length; i++) {
            byte c = block[i];
            if (c >= '0' && c <= '7') {
                value = value * 8 + (c - '0');
                digits = true;
            } else if (c != ' ' && c != 0) {
                throw new BrokenArchiveException("a header's number is not octal");
            } else if (digits) {
                break;
            }
        }
        return value;
    }

    private static long binary(byte[] block, int offset, int length) throws IOException {
        long value = block[offset] & 0x7f;
        for (int i = offset + 1; i < offset + length; i++) {
            if (value >= 1L << 54) {
                throw new BrokenArchiveException("a header's number is out of range");
            }
            value = value << 8 | (block[i] & 0xff);
        }
        return value;
    }
}
