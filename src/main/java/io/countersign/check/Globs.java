package io.countersign.check;

import com.google.re2j.Pattern;

import io.countersign.artefact.ChangedFile;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A comma-separated list of globs over paths that are relative to the workspace root. */
final class Globs {
    private final List<Glob> globs;

    private Globs(List<Glob> globs) {
        this.globs = globs;
    }

    private record Glob(String text, Pattern pattern) {}

    /** The list cannot be read; the message says why, for its author. */
    static final class BadGlob extends Exception {
        private static final long serialVersionUID = 1L;

        BadGlob(String message) {
            super(message);
        }
    }

    /**
     * Reads a list. Commas split it outside braces.
     *
     * @throws BadGlob for an empty list and for a glob that could never match as its author means
     */
    static Globs read(String list) throws BadGlob {
        List<Glob> globs = new ArrayList<>();
        for (String glob : split(list)) {
            if (!glob.isBlank()) globs.add(new Glob(glob.strip(), GlobPattern.compile(glob)));
        }
        if (globs.isEmpty()) throw new BadGlob("names no path");
        return new Globs(globs);
    }

    private static List<String> split(String list) {
        List<String> parts = new ArrayList<>();
        int depth = 0;
        int start = 0;
        for (int i = 0; i < list.length(); i++) {
            switch (list.charAt(i)) {
                case '{' -> depth++;
                case '}' -> depth = Math.max(0, depth - 1);
                case ',' -> {
                    if (depth == 0) {
                        parts.add(list.substring(start, i));
                        start = i + 1;
                    }
                }
                default -> {}
            }
        }
        parts.add(list.substring(start));
        return parts;
    }

    /** The first glob that the path matches; null when none does. */
    @Nullable String match(String path) {
        return globs.stream()
                .filter(glob -> glob.pattern().matches(path))
                .map(Glob::text)
                .findFirst()
                .orElse(null);
    }

    /** Every path that a change touches: a renamed file leaves its former one too. */
    static Stream<String> touched(List<ChangedFile> files) {
        return files.stream()
                .flatMap(
                        file ->
                                file.from() == null
                                        ? Stream.of(file.path())
                                        : Stream.of(file.path(), file.from()));
    }
}
