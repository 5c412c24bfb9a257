package io.countersign.grader;

import com.fasterxml.jackson.annotation.JsonValue;

import java.util.Locale;

/** How one grading ended. Only {@link #PASSED} passes. */
public enum GradingOutcome {
    PASSED,
    FAILED,
    /** The grader passed it, but a part of the artefact was not shown to it. */
    TRUNCATED,
    /** The grader passed it on a quote that is not there. */
    EVIDENCE_NOT_FOUND,
    /** The grader passed it and left a criterion without a quote where policy demands one. */
    EVIDENCE_MISSING,
    /** The reply is not the contract's. */
    UNREADABLE,
    /** Another model answered than the one that was asked. */
    OTHER_MODEL,
    /** No grader is independent of the producer as policy demands. */
    NOT_INDEPENDENT,
    /** The evidence carries the drafter's intent. */
    REFUSED,
    NOT_CONFIGURED,
    TIMED_OUT,
    /** Nobody answered: connection faults, error statuses, an open circuit. */
    UNAVAILABLE;

    /** The outcome as it stands in JSON and SQL. */
    @JsonValue
    public String wire() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Reads an outcome as it stands in SQL.
     *
     * @throws IllegalArgumentException when there is no such outcome
     */
    static GradingOutcome parse(String wire) {
        return valueOf(wire.toUpperCase(Locale.ROOT));
    }
}
