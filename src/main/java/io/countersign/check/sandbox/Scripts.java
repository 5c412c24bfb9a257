package io.countersign.check.sandbox;

/**
 * The two small shell scripts around every command. They only set bounds and files and then become
 * the next program; words of the command pass through them as arguments, never as text of a script.
 */
final class Scripts {
    /**
     * Runs first, as the service's own user. Arguments: the note file; the status file, or an empty
     * word; the hard bound of core files; kilobytes of data, or an empty word; seconds of CPU, soft
     * and hard; blocks of file size; open files; the join files of the control group; {@code --};
     * the rest of the command line.
     *
     * <p>From here on stderr of our own tools goes into the note, and the command's own stderr
     * waits as descriptor 5. Descriptor 3 is bubblewrap's status.
     */
    static final String OUTER =
            """
            exec 5>&2 2>"$1"
            if [ -n "$2" ]; then exec 3>"$2"; fi
            umask 022
            ulimit -S -c 0
            ulimit -H -c "$3" 2>/dev/null
            if [ -n "$4" ]; then ulimit -d "$4"; fi
            ulimit -S -t "$5" && ulimit -H -t "$6" && ulimit -f "$7" || exit 125
            ulimit -S -n "$8" 2>/dev/null
            echo 800 2>/dev/null >/proc/self/oom_score_adj
            shift 8
            while [ "$1" != -- ]; do
              echo 0 >"$1" || exit 125
              shift
            done
            shift
            exec "$@"
            """;

    /**
     * The first process of a PID namespace where bubblewrap does not provide one. It stays, since
     * the kernel ignores most signals that a first process sends itself.
     */
    static final String FIRST =
            """
            "$@"
            exit $?
            """;

    /**
     * Runs last, as the command's user, below setsid, which tells a signal from an exit code on the
     * note. Arguments: processes, or an empty word; the directory; how many variables; the
     * variables; the command. Shells disagree on the letter for processes. A directory that is gone
     * is the doing of an earlier command, so it fails this one and not the sandbox.
     */
    static final String INNER =
            """
            echo started >&2
            if [ -n "$1" ]; then
              ulimit -u "$1" 2>/dev/null || ulimit -p "$1" || exit 125
            fi
            cd "$2" 2>&5 || exit 126
            n=$3
            shift 3
            while [ "$n" -gt 0 ]; do
              export "$1"
              shift
              n=$((n-1))
            done
            unset n
            exec "$@" 2>&5 5>&-
            """;

    private Scripts() {}
}
