package io.countersign.check.sandbox;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/** The small files by which control groups are read and steered. */
final class CgroupFiles {
    private CgroupFiles() {}

    static void write(Path file, String value) throws IOException {
        Files.writeString(file, value, StandardOpenOption.WRITE);
    }

    static void writeIfPresent(Path file, String value) {
        try {
            if (Files.exists(file)) write(file, value);
        } catch (IOException e) {
            // An extra bound that this kernel does not take (swap accounting, for example).
        }
    }

    /** The number behind {@code key} in a file of "key number" lines; 0 when there is none. */
    static long number(Path file, String key) {
        for (String line : lines(file)) {
            if (line.startsWith(key + " ")) return Long.parseLong(line.substring(key.length() + 1));
        }
        return 0;
    }

    static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException | UncheckedIOException e) {
            return List.of();
        }
    }

    static List<Long> processes(Path directory) {
        return lines(directory.resolve("cgroup.procs")).stream().map(Long::parseLong).toList();
    }

    /**
     * Whether the group counts nobody. A dead process that nobody has reaped yet is no member any
     * more, but it still counts against the bound of whoever gets the group next.
     */
    static boolean countsNobody(Path directory) {
        List<String> count = lines(directory.resolve("pids.current"));
        return processes(directory).isEmpty() && (count.isEmpty() || count.getFirst().equals("0"));
    }

    static void kill(List<Long> pids) {
        for (long pid : pids) {
            ProcessHandle.of(pid)
                    .filter(process -> !process.equals(ProcessHandle.current()))
                    .ifPresent(ProcessHandle::destroyForcibly);
        }
    }

    static void removeQuietly(Path directory) {
        try {
            Files.deleteIfExists(directory);
        } catch (IOException e) {
            // Busy for a moment after its last process; the sweep of the next start removes it.
        }
    }
}
