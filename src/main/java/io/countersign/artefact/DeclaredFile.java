package io.countersign.artefact;

import io.countersign.kernel.ProblemCode;
import io.countersign.kernel.ProblemException;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * A file that the producer says it changed. Its word alone: where there is a base, what comparing
 * finds wins.
 *
 * @param path relative to the workspace root
 * @param status what the producer says happened to it
 * @param from the former path of a renamed file; null for every other status
 */
public record DeclaredFile(
        WorkspacePath path, ChangedFile.Status status, @Nullable WorkspacePath from) {
    public DeclaredFile {
        if ((status == ChangedFile.Status.RENAMED) != (from != null)) {
            throw new IllegalArgumentException("a renamed file, and no other, has a former path");
        }
    }

    /**
     * One member of {@code changedFiles} as it is sent.
     *
     * @param status {@code added}, {@code modified}, {@code deleted}, {@code renamed} or {@code
     *     written} (read as added); {@code modified} when it is absent
     */
    public record Request(String path, @Nullable String status, @Nullable String from) {}

    /**
     * Reads a declared list.
     *
     * @param pointer JSON pointer of the list
     * @throws ProblemException 422 for a path that is not acceptable or stands there twice (former
     *     paths count), a status that does not exist, or a {@code from} that does not fit it
     */
    public static List<DeclaredFile> read(String pointer, List<Request> files) {
        List<DeclaredFile> declared = new ArrayList<>();
        Set<WorkspacePath> seen = new HashSet<>();
        for (int i = 0; i < files.size(); i++) {
            String at = pointer + "/" + i;
            DeclaredFile file = read(at, files.get(i));
            once(seen, at + "/path", file.path());
            if (file.from() != null) {
                once(seen, at + "/from", file.from());
            }
            declared.add(file);
        }
        return List.copyOf(declared);
    }

    private static DeclaredFile read(String pointer, Request file) {
        WorkspacePath path = WorkspacePath.parse(pointer + "/path", file.path());
        ChangedFile.Status status = status(pointer + "/status", file.status());
        String from = file.from();
        if ((status == ChangedFile.Status.RENAMED) != (from != null)) {
            throw ProblemException.invalid(
                    pointer + "/from",
                    from == null
                            ? "a renamed file needs its former path in from"
                            : "only a renamed file has a former path");
        }
        return new DeclaredFile(
                path, status, from == null ? null : WorkspacePath.parse(pointer + "/from", from));
    }

    private static ChangedFile.Status status(String pointer, @Nullable String status) {
        return switch (status == null ? "modified" : status.toLowerCase(Locale.ROOT)) {
            case "added", "written" -> ChangedFile.Status.ADDED;
            case "modified" -> ChangedFile.Status.MODIFIED;
            case "deleted" -> ChangedFile.Status.DELETED;
            case "renamed" -> ChangedFile.Status.RENAMED;
            default ->
                    throw ProblemException.invalid(
                            pointer,
                            "must be added, modified, deleted, renamed or written, not "
                                    + Shown.text(String.valueOf(status)));
        };
    }

    private static void once(Set<WorkspacePath> seen, String pointer, WorkspacePath path) {
        if (!seen.add(path)) {
            throw ProblemException.invalid(
                    ProblemCode.PATH_DUPLICATE,
                    pointer,
                    "the path " + Shown.text(path.value()) + " is given twice");
        }
    }
}
