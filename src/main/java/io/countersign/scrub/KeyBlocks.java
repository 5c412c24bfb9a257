package io.countersign.scrub;

/**
 * PEM and PGP private keys, also with line breaks written as {@code \n} or cut off before their
 * end. Only key material is redacted, token by token: a block must not hide code from a grader, and
 * a header alone must not wipe what follows it.
 */
final class KeyBlocks {
    private static final String BEGIN = "-----BEGIN ";
    private static final String END = "-----END ";
    private static final int MATERIAL = 32;

    /** How far from its header the material of a block without an end may start. */
    private static final int HEADER_GAP = 200;

    private KeyBlocks() {}

    static void find(String text, Spans spans) {
        int begin = text.indexOf(BEGIN);
        int end = -1;
        while (begin >= 0) {
            if (end < begin) {
                end = text.indexOf(END, begin);
                end = end < 0 ? Integer.MAX_VALUE : end;
            }
            int next = text.indexOf(BEGIN, begin + BEGIN.length());
            int regionEnd = next < 0 ? text.length() : next;
            int body = endOfPrivateHeader(text, begin);
            if (body > 0) {
                findMaterial(text, body, Math.min(regionEnd, end), end < regionEnd, spans);
            }
            begin = next;
        }
    }

    /** Where the body of a private key starts, or 0 for a certificate or anything else. */
    private static int endOfPrivateHeader(String text, int begin) {
        int labelEnd = text.indexOf("-----", begin + BEGIN.length());
        if (labelEnd < 0 || labelEnd - begin > 80) {
            return 0;
        }
        return text.substring(begin, labelEnd).contains("PRIVATE KEY") ? labelEnd + 5 : 0;
    }

    private static void findMaterial(
            String text, int body, int limit, boolean closed, Spans spans) {
        int i = body;
        boolean found = false;
        while (i < limit) {
            int start = skipSeparators(text, i, limit);
            int end = endOfToken(text, start, limit);
            boolean follows = found && start - i <= 8;
            boolean material = isMaterial(text, start, end);
            if (material || follows && isLastLine(text, start, end)) {
                spans.add(start, end);
                found = material;
            } else if (!closed && (found || end - body > HEADER_GAP)) {
                return;
            } else {
                found = false;
            }
            i = Math.max(end, start + 1);
        }
    }

    private static int skipSeparators(String text, int from, int limit) {
        int i = from;
        while (i < limit && !Text.isBase64(text.charAt(i))) {
            i++;
        }
        return i;
    }

    private static int endOfToken(String text, int from, int limit) {
        int i = from;
        while (i < limit && Text.isBase64(text.charAt(i))) {
            i++;
        }
        return i;
    }

    /** A long run of base64; a run of hexadecimal digits is a digest. */
    private static boolean isMaterial(String text, int start, int end) {
        if (end - start < MATERIAL) {
            return false;
        }
        for (int i = start; i < end; i++) {
            char c = text.charAt(i);
            if (!Text.isDigit(c) && (c < 'a' || c > 'f')) {
                return true;
            }
        }
        return false;
    }

    private static boolean isLastLine(String text, int start, int end) {
        for (int i = start; i < end; i++) {
            if (!Text.isAlpha(text.charAt(i))) {
                return true;
            }
        }
        return end - start >= 16;
    }
}
