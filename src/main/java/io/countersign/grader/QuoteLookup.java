package io.countersign.grader;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;

import io.countersign.grader.GradingRow.Quote;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Looks for quotes in the files that they name, as those files were shown: scrubbed, and with runs
 * of white space folded, since models rewrap what they copy.
 */
final class QuoteLookup {
    /** A larger file could not have been shown whole. */
    private static final int MAX_FILE = 8 << 20;

    private static final Pattern LINE_SUFFIX =
            Pattern.compile("^(.*?)(?::L?[0-9]+(?:[-:]L?[0-9]+)?|#L[0-9]+(?:-L?[0-9]+)?)$");

    private final FrozenFiles files;
    private final String cwd;
    private final Marks marks;
    private final Map<String, String> folded = new HashMap<>();

    QuoteLookup(FrozenFiles files, String cwd, Marks marks) {
        this.files = files;
        this.cwd = cwd;
        this.marks = marks;
    }

    /** Whether the quote occurs in the file that it names. A blank quote occurs nowhere. */
    boolean finds(Quote quote) throws IOException {
        String wanted = fold(quote.quote());
        if (wanted.isEmpty()) return false;
        Optional<String> path = path(quote.ref().strip());
        return path.isPresent() && text(path.get()).contains(wanted);
    }

    private Optional<String> path(String ref) throws IOException {
        Matcher suffix = LINE_SUFFIX.matcher(ref);
        List<String> names = suffix.matches() ? List.of(ref, suffix.group(1)) : List.of(ref);
        for (String name : names) {
            String plain = name.startsWith("./") ? name.substring(2) : name;
            if (files.find(plain).isPresent()) return Optional.of(plain);
            String below = cwd.isEmpty() ? plain : cwd + "/" + plain;
            if (files.find(below).isPresent()) return Optional.of(below);
        }
        return Optional.empty();
    }

    private String text(String path) throws IOException {
        String known = folded.get(path);
        if (known != null) return known;
        String text = fold(marks.neutral(ShownText.of(files.read(path, MAX_FILE))));
        folded.put(path, text);
        return text;
    }

    private static String fold(String text) {
        StringBuilder out = new StringBuilder(text.length());
        boolean space = false;
        for (int i = 0; i < text.length(); ) {
            int c = text.codePointAt(i);
            i += Character.charCount(c);
            if (Character.isWhitespace(c) || Character.isSpaceChar(c)) {
                space = true;
            } else {
                if (space && !out.isEmpty()) out.append(' ');
                space = false;
                out.appendCodePoint(c);
            }
        }
        return out.toString();
    }
}
