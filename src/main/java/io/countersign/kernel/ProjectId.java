package io.countersign.kernel;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

import java.util.regex.Pattern;

/**
 * A project: {@code name} or {@code owner/name}.
 *
 * @param value letters, digits, dot, dash and underscore; at most 200 characters
 */
public record ProjectId(@JsonValue String value) {
    private static final Pattern FORM =
            Pattern.compile("[A-Za-z0-9_][A-Za-z0-9._-]*(/[A-Za-z0-9_][A-Za-z0-9._-]*)?");

    /** The audit's own chain for what belongs to no project (keys, principals). */
    public static final ProjectId SERVER = new ProjectId("_server");

    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public ProjectId {
        if (value.length() > 200 || !FORM.matcher(value).matches()) {
            throw new IllegalArgumentException(
                    "a project is name or owner/name, of letters, digits, dot, dash and underscore,"
                            + " at most 200 characters");
        }
    }

    /**
     * Reads a project that a caller sent.
     *
     * @throws ProblemException 422 that names {@code pointer}
     */
    public static ProjectId parse(String pointer, String value) {
        if (value.equals(SERVER.value())) {
            throw ProblemException.invalid(pointer, "this name is the service's own");
        }
        try {
            return new ProjectId(value);
        } catch (IllegalArgumentException e) {
            throw ProblemException.invalid(pointer, e.getMessage() + "");
        }
    }

    @Override
    public String toString() {
        return value;
    }
}
