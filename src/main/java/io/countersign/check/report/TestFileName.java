package io.countersign.check.report;

import java.util.regex.Pattern;

/**
 * Tells a test from a mere test file. A runner that loads a file without any test in it (or one
 * that ended the process) may report the file itself as one passing test.
 */
final class TestFileName {
    private static final Pattern FORM =
            Pattern.compile(
                    "(?:/[^:*?\"<>|]*|[A-Za-z]:[^:*?\"<>|]*|[^\\s:*?\"<>|]*)"
                            + "\\.(?:[cm]?[jt]sx?|py|rb|go|rs|java|kt)");

    private TestFileName() {}

    /** Whether an entry's name is a source file's path, so that the entry is no test. */
    static boolean is(String name) {
        return name.length() <= 4096 && FORM.matcher(name).matches();
    }
}
