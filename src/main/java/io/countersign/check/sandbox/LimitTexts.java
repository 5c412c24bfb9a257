package io.countersign.check.sandbox;

import org.springframework.util.unit.DataSize;

import java.time.Duration;

/** Names the bound that a run met. */
final class LimitTexts {
    static final int KILL = 9;
    private static final int CPU = 24;
    private static final int FILE_SIZE = 25;

    private LimitTexts() {}

    static String memory(Limits limits) {
        return "memory limit of " + size(limits.memory()) + " reached";
    }

    static String cpu(Limits limits) {
        return "CPU time limit of " + seconds(limits.cpu()) + " reached";
    }

    static String output(Limits limits) {
        return "output limit of " + size(limits.maxOutput()) + " reached";
    }

    /** What a signal means under these limits. */
    static String signal(int signal, Limits limits) {
        return switch (signal) {
            case CPU -> cpu(limits);
            case FILE_SIZE -> "file size limit of " + size(limits.fileSize()) + " reached";
            default -> "killed by signal " + signal + name(signal);
        };
    }

    private static String name(int signal) {
        return switch (signal) {
            case 1 -> " (SIGHUP)";
            case 2 -> " (SIGINT)";
            case 3 -> " (SIGQUIT)";
            case 4 -> " (SIGILL)";
            case 5 -> " (SIGTRAP)";
            case 6 -> " (SIGABRT)";
            case 7 -> " (SIGBUS)";
            case 8 -> " (SIGFPE)";
            case KILL -> " (SIGKILL)";
            case 11 -> " (SIGSEGV)";
            case 13 -> " (SIGPIPE)";
            case 14 -> " (SIGALRM)";
            case 15 -> " (SIGTERM)";
            case 31 -> " (SIGSYS)";
            default -> "";
        };
    }

    private static String size(DataSize size) {
        long bytes = size.toBytes();
        if (bytes % (1L << 30) == 0) return (bytes >> 30) + " GiB";
        if (bytes % (1L << 20) == 0) return (bytes >> 20) + " MiB";
        if (bytes % (1L << 10) == 0) return (bytes >> 10) + " KiB";
        return bytes + " bytes";
    }

    private static String seconds(Duration duration) {
        return duration.toMillis() % 1000 == 0
                ? duration.toSeconds() + " s"
                : duration.toMillis() + " ms";
    }
}
