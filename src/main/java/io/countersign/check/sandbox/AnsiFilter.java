package io.countersign.check.sandbox;

/**
 * Takes terminal control sequences out of a stream of bytes, one byte at a time, so that text which
 * colours cut in two reads as one. Keeps no text itself; a sequence may span any number of reads.
 */
final class AnsiFilter {
    private enum State {
        TEXT,
        /** After ESC. */
        ESCAPE,
        /** After ESC and intermediate bytes, for example {@code ESC ( B}. */
        INTERMEDIATE,
        /** Within {@code ESC [ ... letter}. */
        CONTROL_SEQUENCE,
        /** Within a title or another string, until BEL or {@code ESC \}. */
        STRING,
        /** After 0xC2, which in UTF-8 begins the one-byte form of {@code ESC [}. */
        AFTER_C2
    }

    private static final int ESC = 0x1b;
    private static final int BEL = 0x07;
    private static final int C2 = 0xc2;
    private static final int CSI_AFTER_C2 = 0x9b;

    private State state = State.TEXT;

    /** Who reads what is left. */
    @FunctionalInterface
    interface Sink {
        void accept(int unsignedByte);
    }

    void accept(int b, Sink sink) {
        switch (state) {
            case TEXT -> text(b, sink);
            case ESCAPE -> state = afterEscape(b, sink);
            case INTERMEDIATE -> intermediate(b, sink);
            case CONTROL_SEQUENCE -> controlSequence(b, sink);
            case STRING -> string(b);
            case AFTER_C2 -> afterC2(b, sink);
        }
    }

    private void text(int b, Sink sink) {
        if (b == ESC) {
            state = State.ESCAPE;
        } else if (b == C2) {
            state = State.AFTER_C2;
        } else {
            sink.accept(b);
        }
    }

    private State afterEscape(int b, Sink sink) {
        return switch (b) {
            case ESC -> State.ESCAPE;
            case '[' -> State.CONTROL_SEQUENCE;
            case ']', 'P', 'X', '^', '_' -> State.STRING;
            default -> {
                if (b >= 0x20 && b <= 0x2f) yield State.INTERMEDIATE;
                if (b < 0x20 || b > 0x7e) sink.accept(b);
                yield State.TEXT;
            }
        };
    }

    private void intermediate(int b, Sink sink) {
        if (b >= 0x20 && b <= 0x2f) return;
        state = State.TEXT;
        if (b < 0x30 || b > 0x7e) text(b, sink);
    }

    private void controlSequence(int b, Sink sink) {
        if (b >= 0x20 && b <= 0x3f) return;
        state = State.TEXT;
        if (b < 0x40 || b > 0x7e) text(b, sink);
    }

    /** A line's end also ends a string: one that is never closed would swallow the whole output. */
    private void string(int b) {
        if (b == ESC) {
            state = State.ESCAPE;
        } else if (b == BEL || b == '\n' || b == '\r') {
            state = State.TEXT;
        }
    }

    private void afterC2(int b, Sink sink) {
        state = State.TEXT;
        if (b == CSI_AFTER_C2) {
            state = State.CONTROL_SEQUENCE;
            return;
        }
        sink.accept(C2);
        text(b, sink);
    }
}
