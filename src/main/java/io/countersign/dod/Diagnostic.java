package io.countersign.dod;

import java.util.Locale;

/**
 * What the parser has to say about one place of the text.
 *
 * @param severity error or warning
 * @param line from 1 over the whole text
 * @param column from 1, in UTF-16 code units of the line
 * @param code one of the codes of {@code docs/dod-language.md}
 * @param message one sentence that says what to do
 */
public record Diagnostic(Severity severity, int line, int column, String code, String message) {
    public enum Severity {
        ERROR,
        WARNING;

        /** The severity as it stands in JSON. */
        public String wire() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
