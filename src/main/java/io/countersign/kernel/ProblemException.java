package io.countersign.kernel;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A request that cannot be served, as data. It ends in one place ({@code ProblemHandler}), which
 * turns it into RFC 9457 problem details.
 */
public final class ProblemException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * One fault of a request body.
     *
     * @param pointer JSON pointer (RFC 6901) of the faulty member
     * @param message what is wrong and what to do
     */
    public record FieldError(String pointer, String message) {}

    private final ProblemCode code;
    private final transient List<FieldError> errors;
    private final transient Map<String, Object> facts;

    public ProblemException(ProblemCode code, String detail) {
        this(code, detail, List.of(), Map.of());
    }

    private ProblemException(
            ProblemCode code, String detail, List<FieldError> errors, Map<String, Object> facts) {
        super(detail);
        this.code = code;
        this.errors = List.copyOf(errors);
        this.facts = Map.copyOf(facts);
    }

    /** A 422 for one member of the body. */
    public static ProblemException invalid(String pointer, String message) {
        return invalid(ProblemCode.INVALID_REQUEST, pointer, message);
    }

    /** A problem about one member of the body, with a code of its own. */
    public static ProblemException invalid(ProblemCode code, String pointer, String message) {
        return new ProblemException(
                code,
                pointer.isEmpty() ? message : pointer + ": " + message,
                List.of(new FieldError(pointer, message)),
                Map.of());
    }

    public static ProblemException invalid(List<FieldError> errors) {
        String detail =
                errors.size() == 1
                        ? errors.getFirst().pointer() + ": " + errors.getFirst().message()
                        : errors.size() + " members of the request are wrong";
        return new ProblemException(ProblemCode.INVALID_REQUEST, detail, errors, Map.of());
    }

    public static ProblemException notFound(String what) {
        return new ProblemException(ProblemCode.NOT_FOUND, what);
    }

    /** The same problem with one more member in the answer, a fact that explains it. */
    public ProblemException with(String name, Object value) {
        Map<String, Object> more = new LinkedHashMap<>(facts);
        more.put(name, value);
        return new ProblemException(code, detail(), errors, more);
    }

    public ProblemCode code() {
        return code;
    }

    public String detail() {
        String message = getMessage();
        return message == null ? code.title() : message;
    }

    public List<FieldError> errors() {
        return errors;
    }

    public Map<String, Object> facts() {
        return facts;
    }
}
