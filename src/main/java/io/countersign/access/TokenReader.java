package io.countersign.access;

import io.countersign.kernel.Caller;

/** One way in which a bearer token proves who calls. */
interface TokenReader {
    Reading read(String token);

    /** What a reader makes of a token. */
    sealed interface Reading {
        /** The token proves this caller. */
        record Known(Caller caller) implements Reading {}

        /** The token is of this reader's kind and no good; the reason is for the caller. */
        record Refused(String reason) implements Reading {}

        /** The token is of another kind. */
        record NotMine() implements Reading {}
    }
}
