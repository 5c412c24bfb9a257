package io.countersign.check;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;

import io.countersign.check.Globs.BadGlob;

import java.text.Normalizer;
import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * One glob as a linear-time pattern. {@code *} and {@code ?} stay within a segment, {@code **}
 * crosses segments (and {@code **}{@code /} may stand for none), {@code [a-z]} and {@code {a,b}}
 * are as in a shell. A glob without any of these but braces names a file or a whole directory.
 * Empty segments and {@code .} stand for nothing.
 */
final class GlobPattern {
    private static final int MAX_LENGTH = 4_096;

    private final String glob;
    private final StringBuilder out = new StringBuilder();
    private int at;
    private boolean wild;

    private GlobPattern(String glob) {
        this.glob = glob;
    }

    static Pattern compile(String written) throws BadGlob {
        String glob = Normalizer.normalize(written.strip(), Normalizer.Form.NFC).replace('\\', '/');
        if (glob.length() > MAX_LENGTH) throw new BadGlob("is too long");
        StringBuilder all = new StringBuilder();
        for (String plain : Braces.expand(glob)) {
            refuse(written.strip(), plain);
            var pattern = new GlobPattern(collapse(written.strip(), plain));
            pattern.translate();
            all.append(all.isEmpty() ? "" : "|").append(pattern.out);
        }
        try {
            return Pattern.compile(all.toString(), Pattern.DOTALL);
        } catch (PatternSyntaxException e) {
            throw new BadGlob("cannot be read: " + written);
        }
    }

    private static void refuse(String written, String glob) throws BadGlob {
        if (glob.startsWith("/") || glob.matches("[A-Za-z]:.*")) {
            throw new BadGlob("is absolute, but changed paths are relative: " + written);
        }
        if (glob.startsWith("!")) throw new BadGlob("cannot be negated: " + written);
        for (String segment : glob.split("/")) {
            if (segment.equals("..")) throw new BadGlob("leaves the workspace: " + written);
        }
    }

    /** No changed path has an empty segment or {@code .} in it, so a glob with one matches none. */
    private static String collapse(String written, String glob) throws BadGlob {
        String plain =
                Arrays.stream(glob.split("/"))
                        .filter(segment -> !segment.isEmpty() && !segment.equals("."))
                        .collect(Collectors.joining("/"));
        if (plain.isEmpty()) throw new BadGlob("names no path: " + written);
        return glob.endsWith("/") || glob.endsWith("/.") ? plain + "/" : plain;
    }

    private void translate() throws BadGlob {
        while (at < glob.length()) next();
        if (glob.endsWith("/")) out.append(".+");
        else if (!wild) out.append("(?:/.+)?");
    }

    private void next() throws BadGlob {
        char c = glob.charAt(at++);
        switch (c) {
            case '*' -> star();
            case '?' -> wild("[^/]");
            case '[' -> set();
            default -> out.append(Pattern.quote(literal(c)));
        }
    }

    private String literal(char c) {
        if (Character.isHighSurrogate(c) && at < glob.length()) return "" + c + glob.charAt(at++);
        return String.valueOf(c);
    }

    private void wild(String pattern) {
        wild = true;
        out.append(pattern);
    }

    private void star() {
        boolean startsSegment = at == 1 || glob.charAt(at - 2) == '/';
        if (at == glob.length() || glob.charAt(at) != '*') {
            wild("[^/]*");
            return;
        }
        while (at < glob.length() && glob.charAt(at) == '*') at++;
        if (startsSegment && at < glob.length() && glob.charAt(at) == '/') {
            at++;
            wild("(?:[^/]+/)*");
        } else {
            wild(".*");
        }
    }

    /** A set, or those very characters: {@code app/[id]/page.tsx} is a common file name. */
    private void set() throws BadGlob {
        int close = glob.indexOf(']', at + 1);
        if (close < 0) throw new BadGlob("has a bracket that is never closed: " + glob);
        String inside = glob.substring(at, close);
        boolean negated = inside.startsWith("!") || inside.startsWith("^");
        String members = negated ? inside.substring(1) : inside;
        if (members.isEmpty() || members.indexOf('/') >= 0) {
            throw new BadGlob("has a set that cannot be read: " + glob);
        }
        String escaped = members.replaceAll("([\\\\\\[\\]^&])", "\\\\$1");
        String set = negated ? "[^/" + escaped + "]" : "[" + escaped + "]";
        wild("(?:" + set + "|" + Pattern.quote("[" + inside + "]") + ")");
        at = close + 1;
    }
}
