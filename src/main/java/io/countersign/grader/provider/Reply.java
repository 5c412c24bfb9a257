package io.countersign.grader.provider;

/** How asking one provider ended. */
public sealed interface Reply {
    /** How many HTTP requests it took. */
    int requests();

    /**
     * It answered.
     *
     * @param temperatureOmitted whether the model refused the parameter
     * @param structured whether the reply's JSON schema was in force
     */
    record Answered(Answer answer, int requests, boolean temperatureOmitted, boolean structured)
            implements Reply {}

    /**
     * It did not.
     *
     * @param timedOut whether the time ran out, of the turn or of the gate
     * @param reason in a few words, without a secret
     */
    record Unanswered(boolean timedOut, String reason, int requests) implements Reply {}
}
