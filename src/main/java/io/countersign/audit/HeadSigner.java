package io.countersign.audit;

/**
 * Signs the heads of the audit chains. Whoever holds the service's signing keys provides a bean of
 * this type; without one, heads are unsigned and say so.
 */
public interface HeadSigner {
    /**
     * A signature and the key that made it.
     *
     * @param keyId the id of the key, as the service's JWKS names it
     * @param value the signature in base64
     */
    record Signature(String keyId, String value) {}

    /**
     * Signs with the current key.
     *
     * @param head the head's canonical JSON in UTF-8
     */
    Signature sign(byte[] head);

    /** Whether the signature is good. A key that nobody knows any more makes none good. */
    boolean verify(byte[] head, Signature signature);
}
