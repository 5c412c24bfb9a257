package io.countersign.artefact;

import io.countersign.kernel.ProblemCode;
import io.countersign.kernel.ProblemException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;

/** The directories of the host that requests may mount from. */
final class MountRoots {
    private final List<Path> roots;

    MountRoots(List<Path> roots) {
        this.roots = List.copyOf(roots);
    }

    /**
     * A directory below a root, both without symlinks.
     *
     * @param below relative to the root; empty for the root itself
     */
    record Mount(Path root, Path below) {
        Path directory() {
            return root.resolve(below);
        }
    }

    /**
     * @throws ProblemException 422 {@code mount-not-allowed} when the path is not below a root, or
     *     there is no directory; it does not tell which, so that nobody can probe the host
     */
    Mount find(String pointer, String path) {
        try {
            Path asked = Path.of(path);
            if (asked.isAbsolute() && isBelowARoot(asked.normalize())) {
                Path real = asked.toRealPath();
                for (Path root : roots) {
                    Path realRoot = root.toRealPath();
                    if (real.startsWith(realRoot)
                            && Files.isDirectory(real, LinkOption.NOFOLLOW_LINKS)) {
                        return new Mount(realRoot, realRoot.relativize(real));
                    }
                }
            }
        } catch (IOException | InvalidPathException e) {
            // Said below: what is not there is not allowed either.
        }
        throw ProblemException.invalid(
                ProblemCode.MOUNT_NOT_ALLOWED,
                pointer,
                Shown.text(path)
                        + " is not a directory below one of countersign.workspaces.mount-roots"
                        + " on this host");
    }

    /** Before anything is looked up on disk. */
    private boolean isBelowARoot(Path path) {
        return roots.stream().anyMatch(root -> path.startsWith(root.normalize()));
    }
}
