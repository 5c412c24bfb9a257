package io.countersign.check;

import io.countersign.check.WorkspaceFiles.Found;
import io.countersign.dod.Check;
import io.countersign.kernel.Cause;

import java.util.List;
import java.util.regex.Pattern;

/**
 * {@code fileAbsent}: nothing stands at the path, neither a file nor a directory nor a link that
 * leads nowhere.
 */
final class FileAbsentCheck {
    /** Without sets, since names such as {@code [id].tsx} are common. */
    private static final Pattern GLOB = Pattern.compile("[*?]|\\{[^{}]*,");

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
                            : absent(path, nothing.checked(), context);
            case Found.Outside outside -> FileExistsCheck.outside(outside);
        };
    }

    /** A path that can name nothing would pass whatever is there. */
    private static Evaluation absent(String path, String checked, CheckContext context) {
        if (List.of(checked.split("/")).contains("..")) {
            return Evaluation.failed(
                    "the path climbs out of a directory that is not there: " + path, Cause.DOD);
        }
        if (GLOB.matcher(path).find()) {
            return Evaluation.failed(
                    "the path is no glob; it names one file or directory: " + path, Cause.DOD);
        }
        return context.workspace() == null
                ? Evaluation.failed("there is no workspace to look in")
                : Evaluation.PASSED;
    }
}
