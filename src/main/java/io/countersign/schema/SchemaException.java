package io.countersign.schema;

/** The schema does not fit the code; {@code action} says what an operator can do about it. */
final class SchemaException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String action;

    SchemaException(String message, String action) {
        super(message);
        this.action = action;
    }

    String action() {
        return action;
    }
}
