package io.countersign.check;

import java.util.Optional;

/**
 * What a shell acts on outside quotes, longest spelling first, with what it would do to a check.
 */
enum ShellOperator {
    BOTH_OUTPUTS_APPENDED("&>>", Effect.REDIRECTS_OUTPUT),
    ERRORS_TO_OUTPUT(
            "2>&1", "would join the two output streams, which are captured anyway: leave it out"),
    HERE_DOCUMENT("<<", Effect.FEEDS_INPUT),
    PROCESS_INPUT("<(", Effect.SUBSTITUTES),
    PROCESS_OUTPUT(">(", Effect.SUBSTITUTES),
    AND(
            "&&",
            "would run a second command on the first one's success: write a check of its own for each, and put a directory into `cwd`"),
    OR("||", "would replace a failing status with that of another command"),
    PIPE_BOTH("|&", Effect.PIPES),
    BOTH_OUTPUTS("&>", Effect.REDIRECTS_OUTPUT),
    APPEND(">>", Effect.REDIRECTS_OUTPUT),
    DUPLICATE(">&", Effect.REDIRECTS_OUTPUT),
    CLOBBER(">|", Effect.REDIRECTS_OUTPUT),
    SUBSTITUTION("$(", Effect.SUBSTITUTES),
    SEQUENCE(";", "would replace the status of the test run with that of the next command"),
    BACKGROUND("&", "would leave the command running in the background, without a status"),
    PIPE("|", Effect.PIPES),
    REDIRECT_IN("<", Effect.FEEDS_INPUT),
    REDIRECT_OUT(">", Effect.REDIRECTS_OUTPUT),
    BACKQUOTE("`", Effect.SUBSTITUTES),
    NEWLINE("\n", "would start a second command: a check runs one");

    private final String spelling;
    private final String effect;

    ShellOperator(String spelling, String effect) {
        this.spelling = spelling;
        this.effect = effect;
    }

    /** The operator that begins at {@code index}, if one does. */
    static Optional<ShellOperator> at(String text, int index) {
        for (var operator : values()) {
            if (text.startsWith(operator.spelling, index)) return Optional.of(operator);
        }
        return Optional.empty();
    }

    String refusal() {
        String name =
                this == NEWLINE
                        ? "a line end"
                        : this == BACKQUOTE ? "a backquote" : "`" + spelling + "`";
        return "no shell runs here: " + name + " " + effect;
    }

    private static final class Effect {
        static final String PIPES =
                "would replace the status of the command with that of the last one in the pipe";
        static final String REDIRECTS_OUTPUT =
                "would send the output into a file, out of the check's sight";
        static final String FEEDS_INPUT = "would feed the command's input, which is always empty";
        static final String SUBSTITUTES = "would run another command inside this one";
    }
}
