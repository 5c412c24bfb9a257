package io.countersign.check;

import com.google.re2j.Pattern;

import io.countersign.check.WorkspaceFiles.Found;
import io.countersign.dod.Check;
import io.countersign.kernel.Cause;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** {@code fileContains}: the text occurs, or the RE2 pattern matches somewhere. */
final class FileContainsCheck {
    /** The largest file that is searched. */
    static final int MAX_BYTES = 16 << 20;

    private FileContainsCheck() {}

    /**
     * @throws Watch.OutOfTime when a pattern takes too long
     */
    static Evaluation evaluate(Check.FileContains check, CheckContext context, Watch watch) {
        String path = check.path();
        return switch (WorkspaceFiles.find(context, path)) {
            case Found.File file -> search(check, file, watch);
            case Found.Directory directory ->
                    Evaluation.failed("a directory, not a regular file: " + path);
            case Found.Special special -> Evaluation.failed("not a regular file: " + path);
            case Found.Nothing(String checked, String hint) ->
                    Evaluation.failed("file not found: " + checked + hint);
            case Found.Outside outside -> FileExistsCheck.outside(outside);
        };
    }

    private static Evaluation search(Check.FileContains check, Found.File file, Watch watch) {
        Optional<byte[]> bytes = WorkspaceFiles.bytes(file, MAX_BYTES);
        if (bytes.isEmpty()) {
            return Evaluation.failed(
                    file.size() > MAX_BYTES
                            ? check.path() + " is larger than 16 MiB"
                            : check.path() + " cannot be read");
        }
        String content = decode(bytes.get());
        if (check.matches() == null) {
            String text = check.text() == null ? "" : check.text();
            return !text.isEmpty() && content.contains(text)
                    ? Evaluation.PASSED
                    : Evaluation.failed(check.path() + " does not contain \"" + text + "\"");
        }
        return match(check.path(), check.matches(), content, watch);
    }

    private static Evaluation match(String path, String regex, String content, Watch watch) {
        Pattern pattern;
        try {
            pattern = LinearPattern.compile(regex);
        } catch (LinearPattern.BadPattern e) {
            return Evaluation.failed(
                    "matches is no RE2 pattern (" + e.getMessage() + "): " + regex, Cause.DOD);
        }
        try {
            return pattern.matcher(watch.over(content)).find()
                    ? Evaluation.PASSED
                    : Evaluation.failed(path + " does not match " + regex);
        } catch (StackOverflowError e) {
            return Evaluation.failed("matches has too many optional parts: " + regex, Cause.DOD);
        }
    }

    /** By the byte-order mark, else UTF-8; malformed bytes become U+FFFD. */
    private static String decode(byte[] bytes) {
        if (startsWith(bytes, 0xef, 0xbb, 0xbf)) return decode(bytes, 3, StandardCharsets.UTF_8);
        if (startsWith(bytes, 0xff, 0xfe)) return decode(bytes, 2, StandardCharsets.UTF_16LE);
        if (startsWith(bytes, 0xfe, 0xff)) return decode(bytes, 2, StandardCharsets.UTF_16BE);
        return decode(bytes, 0, StandardCharsets.UTF_8);
    }

    private static String decode(byte[] bytes, int from, Charset charset) {
        return new String(bytes, from, bytes.length - from, charset);
    }

    private static boolean startsWith(byte[] bytes, int... start) {
        if (bytes.length < start.length) return false;
        for (int i = 0; i < start.length; i++) {
            if ((bytes[i] & 0xff) != start[i]) return false;
        }
        return true;
    }
}
