package io.countersign.decision;

import io.countersign.access.AnchorKind;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

/**
 * The anchor that an attestation may really claim.
 *
 * @param kind null when the attestation names none that exists
 * @param id the anchor's own id (a sub-agent, a CI run), null when none came along
 * @param downgrade why the kind is not the claimed one; null when it is
 */
record Anchor(@Nullable AnchorKind kind, @Nullable String id, @Nullable String downgrade) {

    /**
     * Reads the claim against what the attestor was granted. An inside kind needs no grant. An
     * anchor id that the credential itself proves is filled in, and beats a different one.
     */
    static Anchor of(@Nullable JsonNode attestation, Attestor attestor) {
        String claimed = Documents.text(attestation, "anchor_kind");
        AnchorKind kind = claimed == null ? null : AnchorKind.of(claimed).orElse(null);
        String id = Documents.text(attestation, "anchor_id");
        if (kind == null || !kind.outside()) {
            return new Anchor(kind, id, null);
        }
        if (!attestor.granted().contains(kind.wire())) {
            return downgraded(kind, id, "was not granted to the attestor", attestor);
        }
        String proven = attestor.anchorId();
        if (proven != null && kind == AnchorKind.CI) {
            return id == null || id.equals(proven)
                    ? new Anchor(kind, proven, null)
                    : downgraded(kind, id, "names another run than its credential", attestor);
        }
        return id == null || Documents.isBlank(id)
                ? downgraded(kind, id, "came without an anchor_id", attestor)
                : new Anchor(kind, id, null);
    }

    private static Anchor downgraded(
            AnchorKind claimed, @Nullable String id, String why, Attestor attestor) {
        return new Anchor(
                AnchorKind.SELF,
                id,
                "anchor kind "
                        + claimed.wire()
                        + " "
                        + why
                        + " ("
                        + attestor.id()
                        + "): it counts as self");
    }
}
