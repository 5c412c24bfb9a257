package io.countersign.gate;

import org.jspecify.annotations.Nullable;

import java.util.Objects;

/** What an agent is told about an advisory verdict. Pure. */
public final class ForcingNote {
    private ForcingNote() {}

    /**
     * The note of an advisory verification: reasons and the next step when it was not accepted, a
     * one-line suffix that names the method when it was.
     *
     * @param nextTier the next tier to use, where known
     */
    public static String advisory(Verdict verdict, @Nullable String nextTier) {
        if (verdict.pass()) {
            return "[countersign] independently verified (" + verdict.method().wire() + ")";
        }
        if (verdict.skipped()) {
            return "[countersign] NOT verified: " + verdict.reasons().getFirst();
        }
        StringBuilder note =
                new StringBuilder(
                        "Independent verification did not accept this result.\nReasons:\n");
        verdict.reasons().forEach(reason -> note.append("- ").append(reason).append('\n'));
        return note.append(nextStep(verdict, nextTier)).toString();
    }

    private static String nextStep(Verdict verdict, @Nullable String nextTier) {
        return switch (Objects.requireNonNull(verdict.cause())) {
            case CANCELLED -> "Next step: ask for a new verification; this one was cancelled.";
            case DOD -> "Next step: mend the Definition of Done; the work was not judged.";
            case POLICY ->
                    "Next step: use a command that the project's policy allows, or ask its admin.";
            case WORK ->
                    "Next step: mend what the reasons name, then hand the work in again"
                            + (nextTier == null ? "." : " with the " + nextTier + " tier.");
            case INFRASTRUCTURE ->
                    "Next step: the work is UNVERIFIED through no fault of its own; ask for a rerun.";
        };
    }
}
