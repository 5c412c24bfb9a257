package io.countersign.check.sandbox;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The server's say on which directories of this host a project may show to its commands. */
final class BindRoots {
    private final List<Path> roots;

    BindRoots(List<Path> roots) {
        this.roots = List.copyOf(roots);
    }

    /** Why these may not be bound; empty when they may. Symlinks are followed first. */
    Optional<String> objection(List<Path> binds) {
        for (Path bind : binds) {
            if (!bind.isAbsolute() || !bind.normalize().equals(bind)) {
                return Optional.of("the read-only bind " + bind + " is no plain absolute path");
            }
            try {
                Path real = bind.toRealPath();
                if (roots.stream().noneMatch(root -> isBelow(real, root))) {
                    return Optional.of(
                            "the read-only bind "
                                    + bind
                                    + " is not below countersign.sandbox.bind-roots");
                }
            } catch (IOException e) {
                return Optional.of("the read-only bind " + bind + " does not exist on this server");
            }
        }
        return Optional.empty();
    }

    private static boolean isBelow(Path real, Path root) {
        try {
            return real.startsWith(root.toRealPath());
        } catch (IOException e) {
            return false;
        }
    }
}
