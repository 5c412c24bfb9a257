package io.countersign.artefact;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

import io.countersign.kernel.ProblemCode;
import io.countersign.kernel.ProblemException;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The path of a file in a workspace: relative to its root, forward slashes, Unicode NFC, no empty,
 * {@code .} or {@code ..} segment, no backslash, no NUL, no lone surrogate. Nothing is normalised
 * in silence: a client computes hashes over the bytes that it sent. Paths sort by their UTF-8
 * bytes, unsigned.
 *
 * @param value at most {@value #MAX_BYTES} bytes of UTF-8, each segment at most {@value
 *     #MAX_SEGMENT_BYTES}
 */
public record WorkspacePath(@JsonValue String value) implements Comparable<WorkspacePath> {
    static final int MAX_BYTES = 2_000;
    static final int MAX_SEGMENT_BYTES = 255;

    private static final Pattern DRIVE = Pattern.compile("^[A-Za-z]:");

    /** What is wrong with a path; {@code message} is a predicate: "is absolute". */
    record Fault(ProblemCode code, String message) {}

    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public WorkspacePath {
        Fault fault = faultOf(value);
        if (fault != null) {
            throw new IllegalArgumentException(Shown.text(value) + " " + fault.message());
        }
    }

    /**
     * Reads a path that a caller sent.
     *
     * @throws ProblemException 422 {@code path-escapes}, {@code path-not-nfc} or {@code
     *     path-invalid}, naming {@code pointer} and the path
     */
    public static WorkspacePath parse(String pointer, String raw) {
        Fault fault = faultOf(raw);
        if (fault != null) {
            throw ProblemException.invalid(
                    fault.code(), pointer, "the path " + Shown.text(raw) + " " + fault.message());
        }
        return new WorkspacePath(raw);
    }

    /** The fault of a path; null when it has none. */
    static @Nullable Fault faultOf(String path) {
        if (path.isEmpty()) {
            return invalid("is empty; paths are relative to the workspace root");
        }
        if (path.startsWith("/")) {
            return escapes("is absolute; paths are relative to the workspace root");
        }
        if (DRIVE.matcher(path).find()) {
            return escapes("begins with a drive letter; paths are relative to the workspace root");
        }
        if (path.indexOf('\\') >= 0) {
            return invalid("has a backslash; paths use forward slashes");
        }
        if (path.indexOf('\0') >= 0) {
            return invalid("has a NUL character");
        }
        if (Shown.hasLoneSurrogate(path)) {
            return invalid("has a lone surrogate, which has no UTF-8 form");
        }
        if (!Normalizer.isNormalized(path, Normalizer.Form.NFC)) {
            return new Fault(
                    ProblemCode.PATH_NOT_NFC,
                    "is not in Unicode NFC; rename the file, or send the composed form");
        }
        return faultOfSegments(path);
    }

    private static @Nullable Fault faultOfSegments(String path) {
        if (path.getBytes(StandardCharsets.UTF_8).length > MAX_BYTES) {
            return invalid("is longer than " + MAX_BYTES + " bytes");
        }
        for (String segment : segments(path)) {
            switch (segment) {
                case "" -> {
                    return invalid("has an empty segment or ends in a slash");
                }
                case "." -> {
                    return invalid("has a . segment");
                }
                case ".." -> {
                    return escapes("has a .. segment");
                }
                default -> {
                    if (segment.getBytes(StandardCharsets.UTF_8).length > MAX_SEGMENT_BYTES) {
                        return invalid(
                                "has a name of more than " + MAX_SEGMENT_BYTES + " bytes in it");
                    }
                }
            }
        }
        return null;
    }

    private static Fault invalid(String message) {
        return new Fault(ProblemCode.PATH_INVALID, message);
    }

    private static Fault escapes(String message) {
        return new Fault(ProblemCode.PATH_ESCAPES, message);
    }

    private static List<String> segments(String path) {
        return List.of(path.split("/", -1));
    }

    /** The directory that holds it; null for a file of the root. */
    @Nullable WorkspacePath parent() {
        int slash = value.lastIndexOf('/');
        return slash < 0 ? null : new WorkspacePath(value.substring(0, slash));
    }

    @Override
    public int compareTo(WorkspacePath other) {
        return compare(value, other.value);
    }

    /**
     * UTF-8 byte order is code point order. {@code String.compareTo} is not: it puts a surrogate
     * pair before U+E000 to U+FFFF.
     */
    static int compare(String left, String right) {
        int shorter = Math.min(left.length(), right.length());
        for (int i = 0; i < shorter; i++) {
            char a = left.charAt(i);
            char b = right.charAt(i);
            if (a != b) {
                boolean bothHigh = a >= Character.MIN_SURROGATE && b >= Character.MIN_SURROGATE;
                return bothHigh ? rank(a) - rank(b) : a - b;
            }
        }
        return left.length() - right.length();
    }

    private static int rank(char unit) {
        return Character.isSurrogate(unit) ? unit + 0x1_0000 : unit;
    }

    @Override
    public String toString() {
        return value;
    }
}
