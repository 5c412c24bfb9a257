package io.countersign.kernel.web;

import io.countersign.kernel.ProblemCode;
import io.countersign.kernel.ProblemException;
import io.countersign.kernel.ProblemException.FieldError;

import org.jspecify.annotations.Nullable;

import tools.jackson.core.JacksonException;
import tools.jackson.core.exc.InputCoercionException;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.databind.exc.InvalidDefinitionException;
import tools.jackson.databind.exc.InvalidFormatException;
import tools.jackson.databind.exc.InvalidNullException;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.exc.PropertyBindingException;
import tools.jackson.databind.exc.ValueInstantiationException;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Says what is wrong with a JSON body, in the caller's terms: no class names, no parser jargon. */
final class JsonFaults {
    private JsonFaults() {}

    /** The problem behind a parser's complaint; null when the fault is the service's own. */
    static @Nullable ProblemException of(JacksonException fault) {
        String pointer = pointer(fault.getPath());
        return switch (fault) {
            case PropertyBindingException unknown ->
                    ProblemException.invalid(
                            ProblemCode.UNKNOWN_FIELD, pointer, "is not a member of this request");
            case InvalidDefinitionException ours -> null;
            case ValueInstantiationException refused -> refused(pointer, refused.getCause());
            case InvalidNullException missing ->
                    ProblemException.invalid(pointer, "is needed and must not be null");
            case InvalidFormatException format ->
                    ProblemException.invalid(pointer, wanted(format.getTargetType()));
            case MismatchedInputException mismatch -> mismatch(pointer, mismatch);
            case StreamConstraintsException limits ->
                    new ProblemException(
                            ProblemCode.UNREADABLE_JSON,
                            "the JSON is over a limit: nesting, or the length of a text or number");
            case InputCoercionException range ->
                    ProblemException.invalid(pointer, "is out of range");
            case StreamReadException syntax -> unreadable(syntax);
            default -> refused(pointer, fault.getCause());
        };
    }

    private static ProblemException unreadable(StreamReadException syntax) {
        String message = syntax.getOriginalMessage();
        String where =
                syntax.getLocation() == null
                        ? ""
                        : " at line %d, column %d"
                                .formatted(
                                        syntax.getLocation().getLineNr(),
                                        syntax.getLocation().getColumnNr());
        String what =
                message != null && message.startsWith("Duplicate")
                        ? "a member is given twice"
                        : "the JSON is malformed or cut off";
        return new ProblemException(ProblemCode.UNREADABLE_JSON, what + where);
    }

    private static ProblemException mismatch(String pointer, MismatchedInputException fault) {
        boolean trailing = String.valueOf(fault.getOriginalMessage()).startsWith("Trailing token");
        if (pointer.isEmpty() && (trailing || fault.getCurrentToken() == null)) {
            return new ProblemException(
                    ProblemCode.UNREADABLE_JSON, "the body is empty or has more than one value");
        }
        return ProblemException.invalid(pointer, wanted(fault.getTargetType()));
    }

    /** What a record's own constructor said. */
    private static @Nullable ProblemException refused(String pointer, @Nullable Throwable cause) {
        return switch (cause) {
            case ProblemException problem -> under(pointer, problem);
            case IllegalArgumentException wrong when wrong.getMessage() != null ->
                    ProblemException.invalid(pointer, wrong.getMessage());
            case NullPointerException missing ->
                    ProblemException.invalid(pointer, "a member that is needed is missing or null");
            case null, default -> null;
        };
    }

    private static ProblemException under(String pointer, ProblemException problem) {
        if (problem.errors().isEmpty() || pointer.isEmpty()) {
            return problem;
        }
        FieldError first = problem.errors().getFirst();
        if (problem.errors().size() == 1) {
            return ProblemException.invalid(
                    problem.code(), pointer + first.pointer(), first.message());
        }
        return ProblemException.invalid(
                problem.errors().stream()
                        .map(e -> new FieldError(pointer + e.pointer(), e.message()))
                        .toList());
    }

    /** What a value of the type must be. */
    static String wanted(@Nullable Class<?> type) {
        if (type == null) {
            return "has the wrong type";
        }
        if (type.isEnum()) {
            return "must be one of "
                    + Arrays.stream(type.getEnumConstants())
                            .map(c -> ((Enum<?>) c).name().toLowerCase(Locale.ROOT))
                            .collect(Collectors.joining(", "));
        }
        return (type.isPrimitive() ? "is needed and must be " : "must be ") + kind(type);
    }

    private static String kind(Class<?> type) {
        if (type == String.class) {
            return "a text";
        }
        if (type == boolean.class || type == Boolean.class) {
            return "true or false";
        }
        if (type == int.class
                || type == Integer.class
                || type == long.class
                || type == Long.class) {
            return "a whole number";
        }
        if (type.isPrimitive() || Number.class.isAssignableFrom(type)) {
            return "a number";
        }
        if (java.time.temporal.Temporal.class.isAssignableFrom(type)) {
            return "a time, ISO-8601 in UTC, of the years 0001 to 9999";
        }
        if (type == java.util.UUID.class) {
            return "an id (UUID)";
        }
        return type.isArray() || Iterable.class.isAssignableFrom(type) ? "a list" : "an object";
    }

    static String pointer(List<JacksonException.Reference> path) {
        StringBuilder pointer = new StringBuilder();
        for (JacksonException.Reference step : path) {
            pointer.append('/');
            if (step.getPropertyName() != null) {
                pointer.append(step.getPropertyName().replace("~", "~0").replace("/", "~1"));
            } else {
                pointer.append(Math.max(step.getIndex(), 0));
            }
        }
        return pointer.toString();
    }
}
