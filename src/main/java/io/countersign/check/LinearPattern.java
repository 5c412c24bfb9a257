package io.countersign.check;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.regex.Matcher;

/**
 * Compiles RE2 patterns whose programs stay small. Matching is linear in the text, but nested
 * repetitions are written out when a pattern is compiled: {@code (((a{100}){100}){100}){100}} takes
 * all memory there is.
 */
final class LinearPattern {
    private static final int MAX_SIZE = 20_000;

    private static final java.util.regex.Pattern REPEAT =
            java.util.regex.Pattern.compile("\\{(\\d{1,5})(?:(,)(\\d{0,5}))?}");

    private final String regex;
    private final Deque<Long> outer = new ArrayDeque<>();
    private long size;
    private long last;
    private int at;

    private LinearPattern(String regex) {
        this.regex = regex;
    }

    /** Not a pattern that can be matched here; the message says why. */
    static final class BadPattern extends Exception {
        private static final long serialVersionUID = 1L;

        BadPattern(String message) {
            super(message);
        }
    }

    /**
     * @throws BadPattern when it is no RE2 syntax or would become too large
     */
    static Pattern compile(String regex) throws BadPattern {
        if (new LinearPattern(regex).measure() > MAX_SIZE) {
            throw new BadPattern("its repetitions make it too large");
        }
        try {
            return Pattern.compile(regex);
        } catch (PatternSyntaxException e) {
            throw new BadPattern(e.getDescription());
        } catch (StackOverflowError e) {
            throw new BadPattern("it is nested too deeply");
        }
    }

    /** About how many instructions it becomes, never too few for a pattern with repetitions. */
    private long measure() {
        while (at < regex.length()) next(regex.charAt(at++));
        while (!outer.isEmpty()) close();
        return size + last;
    }

    private void next(char c) {
        switch (c) {
            case '\\' -> {
                skipEscape();
                atom(1);
            }
            case '[' -> {
                skipClass();
                atom(1);
            }
            case '(' -> {
                atom(0);
                outer.push(size);
                size = 0;
            }
            case ')' -> close();
            case '*', '+', '?' -> last = capped(last + 1);
            case '{' -> repeat();
            default -> atom(1);
        }
    }

    private void atom(long length) {
        size = capped(size + last);
        last = length;
    }

    private void close() {
        long inside = capped(size + last + 2);
        size = outer.isEmpty() ? 0 : outer.pop();
        last = inside;
    }

    private void repeat() {
        Matcher repeat = REPEAT.matcher(regex).region(at - 1, regex.length());
        if (!repeat.lookingAt()) {
            atom(1);
            return;
        }
        at = repeat.end();
        long least = Long.parseLong(repeat.group(1));
        String most = repeat.group(3);
        boolean open = repeat.group(2) != null && (most == null || most.isEmpty());
        long times = open || most == null ? least + 1 : Long.parseLong(most);
        last = capped(Math.max(last, 1) * Math.max(times, 1));
    }

    private void skipEscape() {
        if (at >= regex.length()) return;
        char kind = regex.charAt(at++);
        boolean braced = at < regex.length() && regex.charAt(at) == '{';
        if ("xpP".indexOf(kind) >= 0 && braced) at = after('}');
        if (kind == 'Q') {
            int end = regex.indexOf("\\E", at);
            int stop = end < 0 ? regex.length() : end;
            size = capped(size + (stop - at));
            at = end < 0 ? stop : end + 2;
        }
    }

    /** A set counts as one, but what is in it must not look like repetitions. */
    private void skipClass() {
        if (at < regex.length() && regex.charAt(at) == '^') at++;
        if (at < regex.length() && regex.charAt(at) == ']') at++;
        while (at < regex.length() && regex.charAt(at) != ']') {
            if (regex.startsWith("[:", at)) {
                int end = regex.indexOf(":]", at);
                at = end < 0 ? at + 1 : end + 2;
            } else {
                at += regex.charAt(at) == '\\' ? 2 : 1;
            }
        }
        at = Math.min(at + 1, regex.length());
    }

    private int after(char c) {
        int found = regex.indexOf(c, at);
        return found < 0 ? regex.length() : found + 1;
    }

    private static long capped(long n) {
        return Math.min(n, Integer.MAX_VALUE);
    }
}
