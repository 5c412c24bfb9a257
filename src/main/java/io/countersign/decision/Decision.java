package io.countersign.decision;

import io.countersign.access.AnchorKind;
import io.countersign.decision.JudgeVerdict.Finding;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** What a verdict comes to. Each kind has one exit code, for a CLI to end with. */
sealed interface Decision {

    /**
     * @param anchorKind the anchor that counted; null when none does
     * @param reasons why the decision is what it is, for people; never empty
     */
    record Ground(@Nullable AnchorKind anchorKind, List<String> reasons) {
        public Ground {
            reasons = List.copyOf(reasons);
        }
    }

    /**
     * @param finding what was found
     * @param why why it does not count
     */
    record Demoted(Finding finding, String why) {}

    /**
     * What a well-formed verdict holds.
     *
     * @param blocking substantiated refutations of severity high
     * @param demoted findings that are not substantiated
     * @param receiptEarned whether everything but a change-set is there for a receipt
     */
    record Findings(List<Finding> blocking, List<Demoted> demoted, boolean receiptEarned) {
        static final Findings NONE = new Findings(List.of(), List.of(), false);

        public Findings {
            blocking = List.copyOf(blocking);
            demoted = List.copyOf(demoted);
        }

        Findings withoutReceipt() {
            return new Findings(blocking, demoted, false);
        }
    }

    Ground ground();

    /** Nothing blocks. */
    record Pass(Ground ground, Findings findings) implements Decision {}

    /** A block that an admin turned into a pass. */
    record Overridden(Ground ground, Findings findings, Question.Override override)
            implements Decision {}

    /** Something would block, but the judge is not anchored outside the producer. */
    record Advisory(Ground ground, Findings findings) implements Decision {}

    /** A substantiated refutation from outside the producer. */
    record Block(Ground ground, Findings findings) implements Decision {}

    /** The judge is the drafter. */
    record Identity(Ground ground) implements Decision {}

    /** A blocking judge was demanded, and this one is not. */
    record Unanchored(Ground ground, Findings findings) implements Decision {}

    /** There is no verdict. */
    record JudgeUnreachable(Ground ground) implements Decision {}

    /** The documents attest themselves or are malformed. */
    record Tamper(Ground ground) implements Decision {}

    /** It would pass, but the receipt that came along is not valid. */
    record ReceiptInvalid(Ground ground, Findings findings, Question.@Nullable Override overridden)
            implements Decision {}

    /** The exit code of the gate, 0 to 6. */
    default int exitCode() {
        return switch (this) {
            case Pass _, Overridden _, Advisory _ -> 0;
            case Block _ -> 1;
            case Identity _ -> 2;
            case Unanchored _ -> 3;
            case JudgeUnreachable _ -> 4;
            case Tamper _ -> 5;
            case ReceiptInvalid _ -> 6;
        };
    }

    /** The decision as it stands in JSON and SQL. */
    default String wire() {
        return switch (this) {
            case Pass _, Overridden _ -> "pass";
            case Advisory _ -> "advisory";
            case Block _ -> "block";
            case Identity _ -> "identity";
            case Unanchored _ -> "unanchored";
            case JudgeUnreachable _ -> "judge_unreachable";
            case Tamper _ -> "tamper";
            case ReceiptInvalid _ -> "receipt_invalid";
        };
    }

    /** What the verdict holds; nothing where it was not believed. */
    default Findings heard() {
        return switch (this) {
            case Pass pass -> pass.findings();
            case Overridden overridden -> overridden.findings();
            case Advisory advisory -> advisory.findings();
            case Block block -> block.findings();
            case Unanchored unanchored -> unanchored.findings();
            case ReceiptInvalid invalid -> invalid.findings();
            case Identity _, JudgeUnreachable _, Tamper _ -> Findings.NONE;
        };
    }

    /** The administrator's word that counted against a block; null when none did. */
    default Question.@Nullable Override override() {
        return switch (this) {
            case Overridden overridden -> overridden.override();
            case ReceiptInvalid invalid -> invalid.overridden();
            default -> null;
        };
    }

    default boolean blocking() {
        return this instanceof Block;
    }

    /** Whether the findings are advice only. */
    default boolean advisory() {
        return this instanceof Advisory || this instanceof Unanchored;
    }
}
