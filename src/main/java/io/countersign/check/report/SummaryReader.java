package io.countersign.check.report;

import org.jspecify.annotations.Nullable;

/** Reads one runner's own words from one output stream. Used once, by one thread. */
interface SummaryReader {
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
