package io.countersign.check;

import io.countersign.check.Globs.BadGlob;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** Writes a glob's alternatives out: {@code {src,test}/a} is {@code src/a} and {@code test/a}. */
final class Braces {
    private static final int MAX_GLOBS = 1_000;
    private static final int MAX_STEPS = 4_000;

    private Braces() {}

    /**
     * The glob once for each combination of alternatives, without braces.
     *
     * @throws BadGlob when a brace has no partner, or there are more than a thousand combinations
     */
    static List<String> expand(String glob) throws BadGlob {
        List<String> plain = new ArrayList<>();
        Deque<String> left = new ArrayDeque<>(List.of(glob));
        for (int steps = 0; !left.isEmpty(); steps++) {
            if (steps > MAX_STEPS || left.size() + plain.size() > MAX_GLOBS) {
                throw new BadGlob("has too many alternatives in braces: " + glob);
            }
            String next = left.pop();
            List<String> alternatives = expandFirst(next, glob);
            if (alternatives.isEmpty()) plain.add(next);
            else alternatives.reversed().forEach(left::push);
        }
        return plain;
    }

    /** Empty when there is no brace. */
    private static List<String> expandFirst(String glob, String whole) throws BadGlob {
        List<String> alternatives = new ArrayList<>();
        int open = -1;
        int start = -1;
        int depth = 0;
        for (int i = 0; i < glob.length(); i = afterSet(glob, i) + 1) {
            char c = glob.charAt(i);
            if (c == '{' && depth++ == 0) {
                open = i;
                start = i + 1;
            } else if (c == ',' && depth == 1 || c == '}' && depth == 1) {
                alternatives.add(glob.substring(start, i));
                start = i + 1;
            }
            if (c == '}' && depth-- == 0) {
                throw new BadGlob("has a brace that was never opened: " + whole);
            }
            if (c == '}' && depth == 0) {
                String before = glob.substring(0, open);
                String after = glob.substring(i + 1);
                return alternatives.stream().map(each -> before + each + after).toList();
            }
        }
        if (depth > 0) throw new BadGlob("has a brace that is never closed: " + whole);
        return List.of();
    }

    /** The last character of a set that begins here; else the same place. */
    private static int afterSet(String glob, int at) {
        return glob.charAt(at) == '[' ? Math.max(at, glob.indexOf(']', at + 2)) : at;
    }
}
