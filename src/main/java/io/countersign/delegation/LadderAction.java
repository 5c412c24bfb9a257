package io.countersign.delegation;

/** What follows an attempt. {@code tier} is the tier after the action. */
public sealed interface LadderAction {
    String tier();

    /** The result is accepted. */
    record Accept(String tier) implements LadderAction {}

    /** Another attempt at the same tier. */
    record Retry(String tier) implements LadderAction {}

    /** Another attempt, at the next tier. */
    record Escalate(String tier) implements LadderAction {}

    /**
     * The end, without an accepted result.
     *
     * @param reason which bound was reached
     */
    record GiveUp(String tier, String reason) implements LadderAction {}

    /** The action as it stands in JSON and SQL. */
    default String wire() {
        return switch (this) {
            case Accept _ -> "accept";
            case Retry _ -> "retry";
            case Escalate _ -> "escalate";
            case GiveUp _ -> "give_up";
        };
    }
}
