package io.countersign.local;

import org.jspecify.annotations.Nullable;

/** Local mode cannot start; {@code action} says what its user can do about it. */
final class LocalModeException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String action;

    LocalModeException(String message, String action) {
        super(message);
        this.action = action;
    }

    LocalModeException(String message, String action, @Nullable Throwable cause) {
        super(message, cause);
        this.action = action;
    }

    String action() {
        return action;
    }
}
