package io.countersign.verification;

import java.time.Instant;
import java.util.Locale;

/**
 * One step of a verification, as it is streamed.
 *
 * @param sequence ascending, from 1 in the first run; the id that {@code Last-Event-ID} resumes
 *     after
 * @param type {@code status|setup|check|grading|verdict}
 * @param data JSON text
 */
record VerificationEvent(int sequence, Type type, String data, Instant at) {
    enum Type {
        STATUS,
        SETUP,
        CHECK,
        GRADING,
        VERDICT;

        String wire() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
