package io.countersign.check.report;

import org.jspecify.annotations.Nullable;

/** Reads one runner's own words from one output stream. Used once, by one thread. */
interface SummaryReader {
    /**
     * The characters that its lines begin with, spaces aside; empty for any. It is shown no other
     * line, which spares hostile output of millions of lines most of the patterns.
     */
    String starts();

    /**
     * @param line the next line that is not blank, without escape sequences and white space at its
     *     end, at most {@link Lines#MAX_LENGTH} characters
     */
    void read(String line);

    /** A part of the stream is missing here. */
    default void gap() {}

    /** What the stream said; null when nothing of this runner was in it. */
    @Nullable Tally end();
}
