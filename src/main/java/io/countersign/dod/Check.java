package io.countersign.dod;

import org.jspecify.annotations.Nullable;

import java.time.Duration;

/**
 * One {@code check:} line of a Definition of Done. A closed set: a new kind does not compile until
 * every place that handles checks knows it. Members are spelled as in the language; null is a key
 * that was not given. {@code line} counts from 1 over the whole text and is 0 for an inferred
 * check.
 */
public sealed interface Check {
    /** The line of a check that no text holds: it comes from a delegation's task contract. */
    int CONTRACT_LINE = -1;

    int line();

    /** A check that runs a command of its own or the ecosystem's default one. */
    sealed interface Runs extends Check {
        /** The command as written; null asks for the default command of the kind. */
        @Nullable String command();

        /** The check's own time-box; null takes the policy's. */
        @Nullable Duration timeout();
    }

    record Run(String command, @Nullable String expect, @Nullable Duration timeout, int line)
            implements Runs {}

    record TestsPass(
            @Nullable String command,
            @Nullable String report,
            @Nullable Integer min,
            @Nullable Duration timeout,
            int line)
            implements Runs {}

    record BuildPasses(@Nullable String command, @Nullable Duration timeout, int line)
            implements Runs {}

    record LintClean(@Nullable String command, @Nullable Duration timeout, int line)
            implements Runs {}

    /** Parses, and fails as "not available" until it is built. */
    record FailToPass(
            String command,
            @Nullable String tests,
            @Nullable String report,
            @Nullable Duration timeout,
            int line)
            implements Runs {}

    /** Parses, and fails as "not available" until it is built. */
    record PassToPass(
            String command,
            @Nullable String tests,
            @Nullable String report,
            @Nullable Duration timeout,
            int line)
            implements Runs {}

    record FileExists(String path, int line) implements Check {}

    record FileAbsent(String path, int line) implements Check {}

    /** Exactly one of {@code text} and {@code matches} (RE2) is given. */
    record FileContains(String path, @Nullable String text, @Nullable String matches, int line)
            implements Check {}

    /** {@code schema} is inline JSON (its first character is a brace or bracket) or a path. */
    record SchemaMatch(String path, String schema, @Nullable Dialect dialect, int line)
            implements Check {}

    record OnlyChanged(String paths, int line) implements Check {}

    record Unchanged(String paths, int line) implements Check {}

    record ToolCalled(
            String tool,
            @Nullable Integer min,
            @Nullable String outcome,
            @Nullable String input,
            @Nullable String boundary,
            int line)
            implements Check {}

    record ToolNotCalled(
            String tool,
            @Nullable String outcome,
            @Nullable String input,
            @Nullable String boundary,
            int line)
            implements Check {}

    record EvidenceComplete(@Nullable String boundary, int line) implements Check {}

    /**
     * A line that could not be read. It stays in the DoD and always fails: dropping it would turn a
     * typo into a weaker DoD.
     *
     * @param code the first error of its line
     * @param reason what is wrong, with the line and a suggestion
     */
    record Malformed(String code, String reason, int line) implements Check {}

    /** How {@code schemaMatch} reads its schema. */
    enum Dialect {
        SHAPE("shape"),
        DRAFT_2020_12("2020-12"),
        DRAFT_07("draft-07");

        private final String spelling;

        Dialect(String spelling) {
            this.spelling = spelling;
        }

        /** The dialect as it is spelled in the language. */
        public String spelling() {
            return spelling;
        }
    }
}
