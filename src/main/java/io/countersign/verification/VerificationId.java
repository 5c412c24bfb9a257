package io.countersign.verification;

import io.countersign.kernel.PathId;
import io.countersign.kernel.ProblemException;

import java.util.UUID;

/** The id of a verification (UUIDv7). */
public record VerificationId(UUID value) {
    /**
     * Reads an id from a request path.
     *
     * @throws ProblemException 404, since nothing can have such an id
     */
    public static VerificationId parse(String text) {
        return new VerificationId(PathId.parse("verification", text));
    }

    @Override
    public String toString() {
        return value.toString();
    }
}
