package io.countersign.kernel.web;

import io.countersign.kernel.ProblemCode;
import io.countersign.kernel.ProblemException;
import io.countersign.kernel.ProblemException.FieldError;

import org.apache.tomcat.util.http.InvalidParameterException;
import org.apache.tomcat.util.http.fileupload.impl.FileCountLimitExceededException;
import org.apache.tomcat.util.http.fileupload.impl.SizeException;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.TypeMismatchException;
import org.springframework.context.MessageSourceResolvable;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.dao.TransientDataAccessException;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.jdbc.CannotGetJdbcConnectionException;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.web.firewall.RequestRejectedException;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.validation.Errors;
import org.springframework.web.ErrorResponse;
import org.springframework.web.bind.MethodArgumentNotValidException;
import org.springframework.web.bind.MissingRequestHeaderException;
import org.springframework.web.bind.MissingServletRequestParameterException;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.method.annotation.HandlerMethodValidationException;
import org.springframework.web.method.annotation.MethodArgumentTypeMismatchException;
import org.springframework.web.multipart.MaxUploadSizeExceededException;
import org.springframework.web.multipart.MultipartException;
import org.springframework.web.multipart.support.MissingServletRequestPartException;

import tools.jackson.core.JacksonException;

import java.util.List;

/** Which problem a failure is. What it cannot name is {@link ProblemCode#INTERNAL}. */
final class Problems {
    private static final int DEPTH = 16;

    private Problems() {}

    static ProblemException of(Throwable failure) {
        ProblemException planned = planned(failure);
        return planned != null ? planned : ofFramework(failure);
    }

    /** A problem that was thrown as one, or that a JSON reader wrapped. */
    private static @Nullable ProblemException planned(Throwable failure) {
        boolean reading = failure instanceof HttpMessageNotReadableException;
        Throwable at = failure;
        for (int i = 0; i < DEPTH && at != null; i++) {
            ProblemException found =
                    switch (at) {
                        case JacksonException json when reading -> JsonFaults.of(json);
                        case ProblemException problem -> problem;
                        default -> null;
                    };
            if (found != null) {
                return found;
            }
            at = at.getCause();
        }
        return null;
    }

    private static ProblemException ofFramework(Throwable failure) {
        return switch (failure) {
            case AuthenticationException none -> plain(ProblemCode.UNAUTHENTICATED);
            case AccessDeniedException denied -> plain(ProblemCode.FORBIDDEN);
            case RequestRejectedException rejected -> plain(ProblemCode.UNREADABLE_REQUEST);
            case HttpMessageNotReadableException unreadable ->
                    new ProblemException(
                            ProblemCode.UNREADABLE_JSON,
                            "the request body is missing or cannot be read");
            case MultipartException broken when tooLarge(broken) -> plain(ProblemCode.TOO_LARGE);
            case MultipartException broken ->
                    new ProblemException(
                            ProblemCode.UNREADABLE_REQUEST, "the multipart body is malformed");
            case InvalidParameterException undecodable ->
                    plain(ofStatus(undecodable.getErrorCode()));
            case CannotGetJdbcConnectionException busy -> plain(ProblemCode.UNAVAILABLE);
            case CannotCreateTransactionException busy -> plain(ProblemCode.UNAVAILABLE);
            case QueryTimeoutException slow -> plain(ProblemCode.UNAVAILABLE);
            case TransientDataAccessException contention -> plain(ProblemCode.UNAVAILABLE);
            default -> ofParameters(failure);
        };
    }

    /** The container's limits come as causes of an exception that says no more than "multipart". */
    private static boolean tooLarge(MultipartException failure) {
        Throwable at = failure;
        for (int i = 0; i < DEPTH && at != null; i++) {
            if (at instanceof MaxUploadSizeExceededException
                    || at instanceof SizeException
                    || at instanceof FileCountLimitExceededException) {
                return true;
            }
            at = at.getCause();
        }
        return false;
    }

    private static ProblemException ofParameters(Throwable failure) {
        return switch (failure) {
            case MissingServletRequestPartException part ->
                    ProblemException.invalid(
                            "/" + part.getRequestPartName(), "the part is missing");
            case MissingServletRequestParameterException missing ->
                    ProblemException.invalid("?" + missing.getParameterName(), "is needed");
            case MissingRequestHeaderException missing ->
                    ProblemException.invalid(missing.getHeaderName(), "the header is needed");
            case MethodArgumentTypeMismatchException mismatch -> mismatch(mismatch);
            case MethodArgumentNotValidException invalid -> members(invalid.getBindingResult());
            case HandlerMethodValidationException invalid -> parameters(invalid);
            case ErrorResponse response -> plain(ofStatus(response.getStatusCode().value()));
            default -> plain(ProblemCode.INTERNAL);
        };
    }

    /** An id that cannot be one names nothing; a parameter of the wrong form is the caller's. */
    private static ProblemException mismatch(MethodArgumentTypeMismatchException mismatch) {
        if (mismatch.getParameter().hasParameterAnnotation(PathVariable.class)) {
            return plain(ProblemCode.NOT_FOUND);
        }
        return ProblemException.invalid("?" + mismatch.getName(), wanted(mismatch));
    }

    private static String wanted(TypeMismatchException mismatch) {
        return JsonFaults.wanted(mismatch.getRequiredType());
    }

    /** Parameters that are read as one object; bodies say themselves what is wrong with them. */
    private static ProblemException members(Errors errors) {
        return ProblemException.invalid(
                errors.getFieldErrors().stream()
                        .map(
                                e ->
                                        new FieldError(
                                                "?" + e.getField(),
                                                e.contains(TypeMismatchException.class)
                                                        ? wanted(
                                                                e.unwrap(
                                                                        TypeMismatchException
                                                                                .class))
                                                        : text(e)))
                        .toList());
    }

    private static ProblemException parameters(HandlerMethodValidationException invalid) {
        List<FieldError> faults =
                invalid.getParameterValidationResults().stream()
                        .flatMap(
                                result -> {
                                    String name = result.getMethodParameter().getParameterName();
                                    return result.getResolvableErrors().stream()
                                            .map(e -> new FieldError("?" + name, text(e)));
                                })
                        .toList();
        return ProblemException.invalid(faults);
    }

    private static String text(MessageSourceResolvable error) {
        String message = error.getDefaultMessage();
        return message == null ? "is wrong" : message;
    }

    /** The problem for a bare status that a container or a framework chose. */
    static ProblemCode ofStatus(int status) {
        return switch (status) {
            case 400 -> ProblemCode.UNREADABLE_REQUEST;
            case 401 -> ProblemCode.UNAUTHENTICATED;
            case 403 -> ProblemCode.FORBIDDEN;
            case 404 -> ProblemCode.NOT_FOUND;
            case 405 -> ProblemCode.METHOD_NOT_ALLOWED;
            case 406 -> ProblemCode.NOT_ACCEPTABLE;
            case 409 -> ProblemCode.CONFLICT;
            case 413 -> ProblemCode.TOO_LARGE;
            case 415 -> ProblemCode.UNSUPPORTED_MEDIA_TYPE;
            case 421 -> ProblemCode.MISDIRECTED_HOST;
            case 422 -> ProblemCode.INVALID_REQUEST;
            case 429 -> ProblemCode.RATE_LIMITED;
            case 503 -> ProblemCode.UNAVAILABLE;
            default ->
                    status >= 400 && status < 500
                            ? ProblemCode.UNREADABLE_REQUEST
                            : ProblemCode.INTERNAL;
        };
    }

    static ProblemException plain(ProblemCode code) {
        return new ProblemException(code, code.title());
    }
}
