package io.countersign.check;

import io.countersign.artefact.ChangeSet;
import io.countersign.artefact.Workspace;
import io.countersign.check.WorkspaceFiles.Found;
import io.countersign.dod.Deliverables;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** The precondition that a DoD's deliverable is there. */
public final class Deliverable {
    private static final String NOT_FOUND = "deliverable not found: ";

    private Deliverable() {}

    /**
     * Why the deliverable does not hold: {@code deliverable not found: dist/app.js}. Null when it
     * does, when there is none, and when it is a description for the grader. A path must name a
     * regular file that is not empty, or, where it ends with a slash or has no extension, a
     * directory with anything in it.
     */
    public static @Nullable String fault(
            @Nullable String deliverable, @Nullable Workspace workspace) {
        if (deliverable == null || !Deliverables.isPath(deliverable)) return null;
        return switch (WorkspaceFiles.find(workspace, new ChangeSet.Unknown(), deliverable)) {
            case Found.File file -> file(deliverable, file);
            case Found.Directory directory -> directory(deliverable, directory.real());
            case Found.Special special -> NOT_FOUND + deliverable + " (not a regular file)";
            case Found.Nothing(String checked, String hint) -> NOT_FOUND + checked + hint;
            case Found.Outside outside -> NOT_FOUND + outside.checked() + " " + outside.why();
        };
    }

    private static @Nullable String file(String path, Found.File file) {
        if (FileExistsCheck.asksForDirectory(path)) {
            return NOT_FOUND + path + " (a file, not a directory)";
        }
        return file.size() == 0 ? NOT_FOUND + path + " (the file is empty)" : null;
    }

    private static @Nullable String directory(String path, Path real) {
        String name = path.substring(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
        if (name.contains(".")) return NOT_FOUND + path + " (a directory, not a file)";
        try (Stream<Path> entries = Files.list(real)) {
            return entries.findAny().isPresent()
                    ? null
                    : NOT_FOUND + path + " (the directory is empty)";
        } catch (IOException | UncheckedIOException e) {
            return NOT_FOUND + path + " (the directory cannot be read)";
        }
    }
}
