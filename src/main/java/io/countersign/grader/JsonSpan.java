package io.countersign.grader;

/**
 * Finds where a JSON value (RFC 8259) ends, without building it. Trying every brace of a long text
 * is cheap this way: a failure costs no exception and no more than the characters it looked at.
 */
final class JsonSpan {
    /** Far above the contract's three levels; it keeps hostile nesting cheap. */
    static final int MAX_DEPTH = 64;

    private final String text;
    private long work;
    private int at;
    private boolean cutOff;

    JsonSpan(String text) {
        this.text = text;
    }

    /**
     * Where the value that begins at {@code from} ends, exclusive; -1 when none does, and then
     * {@link #stopped} and {@link #cutOff} say more.
     */
    int end(int from) {
        at = from;
        cutOff = false;
        boolean whole = !exhausted() && value(0);
        work += at - from;
        return whole ? at : -1;
    }

    /** Whether so much was tried in vain that nothing is tried any more. */
    boolean exhausted() {
        return work > 8L * text.length() + 10_000;
    }

    /** Where the last failure stopped reading. */
    int stopped() {
        return at;
    }

    /** Whether the text ended before the value did. */
    boolean cutOff() {
        return cutOff;
    }

    private boolean value(int depth) {
        space();
        if (ended()) return false;
        return switch (text.charAt(at)) {
            case '{' -> depth < MAX_DEPTH && members(depth);
            case '[' -> depth < MAX_DEPTH && items(depth);
            case '"' -> string();
            case 't' -> word("true");
            case 'f' -> word("false");
            case 'n' -> word("null");
            default -> number();
        };
    }

    private boolean members(int depth) {
        at++;
        if (closes('}')) return true;
        do {
            space();
            if (ended() || text.charAt(at) != '"' || !string()) return false;
            if (!takes(':') || !value(depth + 1)) return false;
        } while (takes(','));
        return takes('}');
    }

    private boolean items(int depth) {
        at++;
        if (closes(']')) return true;
        do {
            if (!value(depth + 1)) return false;
        } while (takes(','));
        return takes(']');
    }

    private boolean closes(char bracket) {
        space();
        if (at >= text.length() || text.charAt(at) != bracket) return false;
        at++;
        return true;
    }

    private boolean takes(char c) {
        space();
        if (ended() || text.charAt(at) != c) return false;
        at++;
        return true;
    }

    private boolean string() {
        at++;
        while (!ended()) {
            char c = text.charAt(at);
            if (c < ' ') return false;
            at++;
            if (c == '"') return true;
            if (c == '\\' && !escape()) return false;
        }
        return false;
    }

    private boolean escape() {
        if (ended()) return false;
        char c = text.charAt(at);
        if ("\"\\/bfnrt".indexOf(c) >= 0) {
            at++;
            return true;
        }
        if (c != 'u') return false;
        at++;
        for (int digit = 0; digit < 4; digit++, at++) {
            if (ended() || !isHex(text.charAt(at))) return false;
        }
        return true;
    }

    private static boolean isHex(char c) {
        return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F';
    }

    private boolean word(String word) {
        if (text.startsWith(word, at)) {
            at += word.length();
            return true;
        }
        int left = text.length() - at;
        cutOff = left < word.length() && text.startsWith(word.substring(0, left), at);
        return false;
    }

    private boolean number() {
        if (text.charAt(at) == '-') at++;
        if (ended()) return false;
        if (text.charAt(at) == '0') at++;
        else if (!digits()) return false;
        if (at < text.length() && text.charAt(at) == '.') {
            at++;
            if (!digits()) return false;
        }
        if (at < text.length() && (text.charAt(at) == 'e' || text.charAt(at) == 'E')) {
            at++;
            if (at < text.length() && "+-".indexOf(text.charAt(at)) >= 0) at++;
            return digits();
        }
        return true;
    }

    private boolean digits() {
        if (ended()) return false;
        int begun = at;
        while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') at++;
        return at > begun;
    }

    private void space() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) at++;
    }

    private boolean ended() {
        if (at < text.length()) return false;
        cutOff = true;
        return true;
    }
}
