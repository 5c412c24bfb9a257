package io.countersign.gate;

import io.countersign.dod.Check;
import io.countersign.dod.Hints;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * What the gate must know before anything runs.
 *
 * @param acceptance the block of the {@code acceptance} field; null when the field is absent (an
 *     empty one is a field without a block)
 * @param dispatch the requester's text; never the producer's
 * @param trivial the requester's mark that nothing needs proof
 * @param hints commands and path for inference, already resolved
 * @param changeSetKnownEmpty true only when it is known that nothing changed
 * @param contract checks of a task contract that must hold beside the DoD's own; empty for none
 * @param producerError why the producer itself failed; null when it did not
 */
public record GateRequest(
        Mode mode,
        Wiring wiring,
        @Nullable String acceptance,
        String dispatch,
        boolean trivial,
        Hints hints,
        boolean changeSetKnownEmpty,
        List<Check> contract,
        @Nullable String producerError) {
    public GateRequest {
        contract = List.copyOf(contract);
    }
}
