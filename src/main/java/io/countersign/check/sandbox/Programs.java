package io.countersign.check.sandbox;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** Finds programs on the sandbox's own PATH, as they are seen from inside. */
final class Programs {
    static final String PATH = "/usr/local/bin:/usr/bin:/bin";

    private static final List<String> DIRECTORIES = List.of(PATH.split(":"));

    private Programs() {}

    /**
     * The absolute path to run; a wrapper of the workspace stays as it is, since a missing one is
     * the work's own fault and shows as a failed command.
     *
     * @param visible whether a real path exists inside the sandbox
     */
    static Optional<String> find(String program, Predicate<Path> visible) {
        if (program.startsWith("./")) return Optional.of(program);
        if (program.isEmpty() || program.indexOf('/') >= 0) return Optional.empty();
        return DIRECTORIES.stream()
                .map(directory -> Path.of(directory, program))
                .filter(candidate -> isProgram(candidate, visible))
                .map(Path::toString)
                .findFirst();
    }

    private static boolean isProgram(Path candidate, Predicate<Path> visible) {
        try {
            return Files.isRegularFile(candidate)
                    && Files.isExecutable(candidate)
                    && visible.test(candidate.toRealPath());
        } catch (IOException e) {
            return false;
        }
    }
}
