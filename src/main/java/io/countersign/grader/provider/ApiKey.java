package io.countersign.grader.provider;

/**
 * A provider's secret, which no {@code toString} gives away.
 *
 * @param secret blank when an empty variable was configured
 */
public record ApiKey(String secret) {
    public ApiKey {
        secret = secret.strip();
    }

    /** For the configuration's binder. */
    public static ApiKey of(String secret) {
        return new ApiKey(secret);
    }

    boolean isBlank() {
        return secret.isEmpty();
    }

    @Override
    public String toString() {
        return isBlank() ? "(none)" : "(secret)";
    }
}
