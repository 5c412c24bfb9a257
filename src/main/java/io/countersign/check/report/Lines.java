package io.countersign.check.report;

import io.countersign.scrub.Ansi;

import java.util.function.Consumer;
import java.util.regex.Pattern;

/** Cuts output into lines without keeping them: a hostile stream has millions. */
final class Lines {
    /** Longer lines are no summaries; they are left out. */
    static final int MAX_LENGTH = 1_000;

    /** What turbo, pnpm and concurrently write in front of the lines of what they run. */
    private static final Pattern TASK_PREFIX =
            Pattern.compile(
                    "(?:\\[\\d{1,3}] |@?[\\w.-]+(?:/[\\w.-]+)?:[\\w.-]+: |[\\w.@-]*/[\\w./@-]+"
                            + " [\\w:-]+: )");

    private Lines() {}

    /**
     * Hands over every line that is not blank. A carriage return ends a line too: progress displays
     * overwrite theirs.
     *
     * @param step is taken at every line, blank ones too; it may throw, which ends the reading
     */
    static void each(String text, Runnable step, Consumer<String> lines) {
        String plain = Ansi.strip(text);
        int start = 0;
        for (int i = 0; i <= plain.length(); i++) {
            if (i < plain.length() && !endsLine(plain.charAt(i))) continue;
            step.run();
            int end = i;
            while (end > start && plain.charAt(end - 1) <= ' ') end--;
            if (end > start && end - start <= MAX_LENGTH) {
                lines.accept(withoutTaskPrefix(plain.substring(start, end)));
            }
            start = i + 1;
        }
    }

    private static boolean endsLine(char c) {
        return c == '\n' || c == '\r';
    }

    private static String withoutTaskPrefix(String line) {
        int colon = line.indexOf(": ");
        if (colon < 0 && line.charAt(0) != '[') return line;
        var prefix = TASK_PREFIX.matcher(line);
        if (!prefix.lookingAt()) return line;
        String rest = line.substring(prefix.end());
        return rest.isBlank() ? line : rest;
    }
}
