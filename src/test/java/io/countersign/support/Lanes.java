package io.countersign.support;

import org.junit.jupiter.api.Assumptions;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Lanes: groups of tests that need something which a machine may lack. What ran and what did not is
 * told at the end of the build, and {@code .ci/run} fails when a lane that it set up did not run.
 */
public final class Lanes {
    private static final Path DIRECTORY = Path.of("target", "lanes");

    private Lanes() {}

    /** Skips the calling test, and says so in the summary, unless {@code there}. */
    public static void demand(String lane, boolean there, String whatIsMissing) {
        note(lane, there ? "ran" : "skipped: " + whatIsMissing);
        Assumptions.assumeTrue(there, () -> lane + " lane: " + whatIsMissing);
    }

    /** Leaves word for the summary; the last word of a lane counts. */
    public static void note(String lane, String what) {
        try {
            Files.createDirectories(DIRECTORY);
            Files.writeString(DIRECTORY.resolve(lane), what + "\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
