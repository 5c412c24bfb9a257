package io.countersign.grader.provider;

import org.jspecify.annotations.Nullable;

import java.time.Duration;

/** An attempt that brought no answer. Inside this package only: Resilience4j counts exceptions. */
final class ProviderFault extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** What sort of fault it is. */
    enum Kind {
        /** No connection, or one that closed before the answer was whole. */
        CONNECTION,
        /** An HTTP status that is no success. */
        STATUS,
        /** The turn's time ran out. */
        TIMEOUT,
        /** A response that is not the wire format's, or is too large. */
        RESPONSE
    }

    private final Kind kind;
    private final int status;
    private final @Nullable Duration retryAfter;

    private ProviderFault(Kind kind, int status, String reason, @Nullable Duration retryAfter) {
        super(reason, null, false, false);
        this.kind = kind;
        this.status = status;
        this.retryAfter = retryAfter;
    }

    static ProviderFault of(Kind kind, String reason) {
        return new ProviderFault(kind, 0, reason, null);
    }

    static ProviderFault status(int status, String reason, @Nullable Duration retryAfter) {
        return new ProviderFault(Kind.STATUS, status, reason, retryAfter);
    }

    Kind kind() {
        return kind;
    }

    String reason() {
        return String.valueOf(getMessage());
    }

    @Nullable Duration retryAfter() {
        return retryAfter;
    }

    /** Whether the model refused the request as written, so that another form may do. */
    boolean refusesRequest() {
        return kind == Kind.STATUS && (status == 400 || status == 422);
    }

    /** Whether the same request may succeed a little later. */
    boolean transitory() {
        return switch (kind) {
            case CONNECTION -> true;
            case STATUS -> status == 408 || status == 409 || status == 429 || status >= 500;
            case TIMEOUT, RESPONSE -> false;
        };
    }

    /** Whether it speaks against the provider's health. */
    boolean unhealthy() {
        return switch (kind) {
            case CONNECTION, TIMEOUT -> true;
            case STATUS -> status == 429 || status >= 500;
            case RESPONSE -> false;
        };
    }
}
