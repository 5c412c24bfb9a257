package io.countersign.verification;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What checks themselves leave word of, in a directory that no worker knows. A check holds a lock
 * of the kernel while it runs, which goes when its processes go, so two runs of one job at once
 * show however they came about.
 */
final class OutsideLog {
    private final Path directory;

    private OutsideLog(Path directory) {
        this.directory = directory;
    }

    /**
     * @param parent a path that the sandbox's user can pass
     */
    static OutsideLog in(Path parent) throws IOException {
        Path directory = Files.createDirectory(parent.resolve("outside"));
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));
        return new OutsideLog(directory);
    }

    /** What one check wrote: what happened, to which job, and in which workspace. */
    record Line(String what, String job, Path workspace) {
        static Line parse(String line) {
            String[] words = line.split(" ", 3);
            return new Line(words[0], words[1], Path.of(words[2]));
        }
    }

    /** A script to be run as {@code sh job.sh <job> <seconds>}. */
    String script() {
        return """
               cd "$(dirname "$0")"
               exec 9> "%1$s/$1.lock"
               flock -n 9 || echo "overlap $1 $PWD" >> "%1$s/log"
               echo "begin $1 $PWD" >> "%1$s/log"
               sleep "$2"
               echo "end $1 $PWD" >> "%1$s/log"
               """
                .formatted(directory);
    }

    List<Line> lines() throws IOException {
        Path log = directory.resolve("log");
        return Files.exists(log)
                ? Files.readAllLines(log).stream().map(Line::parse).toList()
                : List.of();
    }

    /** Jobs that this happened to below a worker's directory. */
    Set<String> jobs(String what, Path below) throws IOException {
        return lines().stream()
                .filter(line -> line.what().equals(what) && line.workspace().startsWith(below))
                .map(Line::job)
                .collect(Collectors.toSet());
    }
}
