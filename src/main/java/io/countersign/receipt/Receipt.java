package io.countersign.receipt;

import com.fasterxml.jackson.annotation.JsonProperty;

import io.countersign.gate.Assurance;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.UUID;

/**
 * A receipt as it is issued ({@code verify_gate.receipt.v1}). The signature covers the canonical
 * JSON of all members but itself, as DSSE does, with the payload type {@value #PAYLOAD_TYPE}.
 *
 * @param nonce 256 random bits in base64url
 * @param attestationRef id of the signed summary of the same verdict; null for none
 */
public record Receipt(
        String schema,
        UUID id,
        String nonce,
        String project,
        @Nullable UUID verificationId,
        @Nullable UUID decisionId,
        String changeSetSha256,
        @Nullable String treeSha256,
        @Nullable String dodSha256,
        String verdictSha256,
        Assurance assurance,
        boolean overridden,
        int gateExit,
        Instant issuedAt,
        Instant expiresAt,
        @Nullable UUID attestationRef,
        @JsonProperty("signature") Signature signature) {
    public static final String SCHEMA = "verify_gate.receipt.v1";
    public static final String PAYLOAD_TYPE = "application/vnd.countersign.receipt+json";

    /**
     * @param keyid the signing key's id in the JWKS
     * @param sig standard base64
     */
    public record Signature(String keyid, String sig) {}
}
