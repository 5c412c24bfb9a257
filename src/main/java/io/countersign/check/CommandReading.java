package io.countersign.check;

import java.util.List;

/** What the policy makes of a command line. */
public sealed interface CommandReading {
    /**
     * It may run.
     *
     * @param argv program and arguments; never empty
     */
    record Allowed(List<String> argv) implements CommandReading {
        public Allowed {
            argv = List.copyOf(argv);
            if (argv.isEmpty()) throw new IllegalArgumentException("argv is empty");
        }
    }

    /**
     * It may not.
     *
     * @param reason one line without control characters, for the author of the command
     */
    record Refused(String reason) implements CommandReading {}
}
