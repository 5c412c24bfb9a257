package io.countersign.dod;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * What a text says about its Definition of Done.
 *
 * @param dod the first complete block; null when the text has none
 * @param diagnostics in line order; those of the DoD when there is one
 * @param loneTagReason set only without a block: the first tag that has no partner, for example
 *     {@code [acceptance] is never closed (line 3)}
 */
public record ParsedBlock(
        @Nullable Dod dod, List<Diagnostic> diagnostics, @Nullable String loneTagReason) {
    public ParsedBlock {
        diagnostics = List.copyOf(diagnostics);
    }

    /**
     * Whether there is half a block. It shows intent: the gate refuses then, and neither infers a
     * DoD nor skips.
     */
    public boolean loneTag() {
        return loneTagReason != null;
    }
}
