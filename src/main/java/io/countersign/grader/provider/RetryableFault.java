package io.countersign.grader.provider;

import java.time.Duration;

/** A fault after whose pause another attempt fits into what the gate has left. */
final class RetryableFault extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ProviderFault fault;
    private final Duration pause;

    RetryableFault(ProviderFault fault, Duration pause) {
        super(fault.reason(), fault, false, false);
        this.fault = fault;
        this.pause = pause;
    }

    ProviderFault fault() {
        return fault;
    }

    Duration pause() {
        return pause;
    }
}
