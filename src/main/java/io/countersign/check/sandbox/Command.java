package io.countersign.check.sandbox;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * A command to run.
 *
 * @param argv program and arguments; the program is resolved on the sandbox's own PATH, or is a
 *     wrapper of the workspace that begins with {@code ./}
 * @param workspace absolute path of the fresh workspace on this host
 * @param directory where to run, relative to the workspace; empty for its root
 * @param readOnlyBinds absolute host paths that are visible read-only at the same path
 * @param environment variables beyond the sandbox's own clean ones
 * @param expect text to look for in the whole of stdout or stderr, colour codes removed, before
 *     anything is cut; null for none
 */
public record Command(
        List<String> argv,
        Path workspace,
        String directory,
        List<Path> readOnlyBinds,
        Map<String, String> environment,
        @Nullable String expect) {
    public Command {
        argv = List.copyOf(argv);
        readOnlyBinds = List.copyOf(readOnlyBinds);
        environment = Map.copyOf(environment);
        if (argv.isEmpty()) throw new IllegalArgumentException("argv is empty");
    }
}
