package io.countersign.grader;

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
        String wanted = Quotes.fold(quote.quote());
        if (wanted.isEmpty()) return false;
        Optional<String> path = path(quote.ref().strip());
        return path.isPresent() && text(path.get()).contains(wanted);
    }

    private Optional<String> path(String ref) throws IOException {
        for (String name : List.of(ref, Quotes.pathOf(ref))) {
            if (files.find(name).isPresent()) return Optional.of(name);
            String below = cwd.isEmpty() ? name : cwd + "/" + name;
            if (files.find(below).isPresent()) return Optional.of(below);
        }
        return Optional.empty();
    }

    private String text(String path) throws IOException {
        String known = folded.get(path);
        if (known != null) return known;
        String text = Quotes.fold(marks.neutral(ShownText.of(files.read(path, MAX_FILE))));
        folded.put(path, text);
        return text;
    }
}
