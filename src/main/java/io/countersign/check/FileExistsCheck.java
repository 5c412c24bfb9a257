package io.countersign.check;

import io.countersign.check.WorkspaceFiles.Found;
import io.countersign.dod.Check;

/** {@code fileExists}: a regular file, or a directory for a path that ends with a slash. */
final class FileExistsCheck {
    private FileExistsCheck() {}

    static Evaluation evaluate(Check.FileExists check, CheckContext context) {
        String path = check.path();
        boolean wantsDirectory = asksForDirectory(path);
        return switch (WorkspaceFiles.find(context, path)) {
            case Found.File file ->
                    wantsDirectory
                            ? Evaluation.failed("a file, not a directory: " + path)
                            : Evaluation.PASSED;
            case Found.Directory directory ->
                    wantsDirectory
                            ? Evaluation.PASSED
                            : Evaluation.failed("a directory, not a regular file: " + path);
            case Found.Special special -> Evaluation.failed("not a regular file: " + path);
            case Found.Nothing(String checked, String hint) ->
                    Evaluation.failed("file not found: " + checked + hint);
            case Found.Outside outside -> outside(outside);
        };
    }

    static boolean asksForDirectory(String path) {
        return path.endsWith("/") || path.endsWith("\\");
    }

    static Evaluation outside(Found.Outside outside) {
        return Evaluation.failed(outside.checked() + " " + outside.why(), outside.cause());
    }
}
