package io.countersign.check;

import java.time.Duration;
import java.util.List;

/**
 * One command of a check that may run.
 *
 * @param command as it was written, or the default one
 * @param argv its words
 * @param box its time-box; positive
 * @param atGate whether the box is all that was left of the gate budget
 */
record Job(String command, List<String> argv, CheckContext context, Duration box, boolean atGate) {
    private static final int SHOWN = 300;

    Job {
        argv = List.copyOf(argv);
    }

    /** The command as it stands in reasons. */
    String shown() {
        return command.length() <= SHOWN ? command : command.substring(0, SHOWN) + "...";
    }
}
