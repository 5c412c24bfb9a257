package io.countersign.attestation;

/** Signs what this service says. Keys change; what an old one signed still verifies. */
public interface Signer {
    /**
     * @param keyId the key's id in the JWKS
     * @param signature 64 bytes
     */
    record Signed(String keyId, byte[] signature) {}

    /**
     * Signs a payload as DSSE does: over its pre-authentication encoding, which binds the type.
     *
     * @param payloadType media type that says what the payload is
     */
    Signed sign(String payloadType, byte[] payload);

    /** Whether a key of this service, active or retired, made the signature. */
    boolean verify(String keyId, String payloadType, byte[] payload, byte[] signature);
}
