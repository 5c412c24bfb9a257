package io.countersign.artefact;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;

/** The records of a pax extended header: {@code <length> <key>=<value>\n}, length in bytes. */
final class Pax {
    private Pax() {}

    /**
     * @throws IOException when they are broken, or a key is given twice
     */
    static Map<String, String> read(byte[] bytes) throws IOException {
        Map<String, String> records = new LinkedHashMap<>();
        int at = 0;
        while (at < bytes.length) {
            int space = indexOf(bytes, (byte) ' ', at);
            long length = size(Utf8.decode(bytes, at, space - at));
            int end = (int) Math.min(bytes.length + 1L, at + length);
            if (end > bytes.length || end <= space + 1 || bytes[end - 1] != '\n') {
                throw broken();
            }
            int equals = indexOf(bytes, (byte) '=', space + 1);
            if (equals >= end) {
                throw broken();
            }
            String key = Utf8.decode(bytes, space + 1, equals - space - 1);
            String value = isText(key) ? Utf8.decode(bytes, equals + 1, end - equals - 2) : "";
            if (records.put(key, value) != null) {
                throw new BrokenArchiveException(
                        "an extended header gives " + Shown.text(key) + " twice");
            }
            at = end;
        }
        return records;
    }

    /** The keys whose values are read; others (extended attributes) may be any bytes. */
    private static boolean isText(String key) {
        return key.equals("path") || key.equals("linkpath") || key.equals("size");
    }

    /** A decimal number that is not negative. */
    static long size(String digits) throws IOException {
        if (!digits.matches("[0-9]{1,18}")) {
            throw broken();
        }
        return Long.parseLong(digits);
    }

    private static int indexOf(byte[] bytes, byte wanted, int from) throws IOException {
        for (int i = from; i < bytes.length; i++) {
            if (bytes[i] == wanted) {
                return i;
            }
        }
        throw broken();
    }

    private static IOException broken() {
        return new BrokenArchiveException("an extended header is broken");
    }
}
