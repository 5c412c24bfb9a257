package io.countersign.check;

import io.countersign.check.WorkspaceFiles.Found;
import io.countersign.dod.Check;

/**
 * {@code fileAbsent}: nothing stands at the path, neither a file nor a directory nor a link that
 * leads nowhere.
 */
final class FileAbsentCheck {
    private FileAbsentCheck() {}

    static Evaluation evaluate(Check.FileAbsent check, CheckContext context) {
        String path = check.path();
        return switch (WorkspaceFiles.find(context, path)) {
            case Found.File file -> Evaluation.failed("file exists: " + path);
            case Found.Directory directory -> Evaluation.failed("directory exists: " + path);
            case Found.Special special -> Evaluation.failed("something exists at " + path);
            case Found.Nothing nothing ->
                    WorkspaceFiles.isTaken(context, path)
                            ? Evaluation.failed("a symlink that leads nowhere exists: " + path)
                            : absent(context);
            case Found.Outside outside -> FileExistsCheck.outside(outside);
        };
    }

    private static Evaluation absent(CheckContext context) {
        return context.workspace() == null
                ? Evaluation.failed("there is no workspace to look in")
                : Evaluation.PASSED;
    }
}
