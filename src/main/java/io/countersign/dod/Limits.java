package io.countersign.dod;

import io.countersign.kernel.ProblemCode;
import io.countersign.kernel.ProblemException;

/** The bounds of one Definition of Done. Sizes are UTF-8 bytes. */
final class Limits {
    static final int TEXT_BYTES = 256 * 1024;
    static final int VALUE_BYTES = 16 * 1024;
    static final int CHECKS = 100;
    static final int CRITERIA = 100;

    private Limits() {}

    static void text(String text) {
        if (Text.utf8Length(text) > TEXT_BYTES) {
            throw over("text-bytes", TEXT_BYTES, "the text is over 256 KiB");
        }
    }

    /** Demands that a value, found on {@code line}, is small enough. */
    static void value(String value, int line) {
        if (Text.utf8Length(value) > VALUE_BYTES) {
            String where = line == 0 ? "a hint" : "a value on line " + line;
            throw over("value-bytes", VALUE_BYTES, where + " is over 16 KiB");
        }
    }

    static void checks(int count) {
        if (count > CHECKS) throw over("checks", CHECKS, "there are more than 100 checks");
    }

    static void criteria(int count) {
        if (count > CRITERIA) throw over("criteria", CRITERIA, "there are more than 100 criteria");
    }

    private static ProblemException over(String limit, int maximum, String detail) {
        return new ProblemException(ProblemCode.DOD_LIMIT, "Definition of Done: " + detail)
                .with("limit", limit)
                .with("maximum", maximum);
    }
}
