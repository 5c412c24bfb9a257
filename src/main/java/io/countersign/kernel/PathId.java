package io.countersign.kernel;

import java.util.UUID;

/** Ids as they stand in request paths. */
public final class PathId {
    private PathId() {}

    /**
     * Reads an id.
     *
     * @param what the kind of thing that has it, for the message
     * @throws ProblemException 404, since nothing can have an id that is no UUID
     */
    public static UUID parse(String what, String text) {
        try {
            return UUID.fromString(text);
        } catch (IllegalArgumentException e) {
            throw ProblemException.notFound(
                    "there is no such " + what + ": the id in the path is no UUID");
        }
    }
}
