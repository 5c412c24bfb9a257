package io.countersign.attestation;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;

/** DSSE (Dead Simple Signing Envelope) 1.0. */
public final class Dsse {
    /** The payload type of in-toto statements. */
    public static final String IN_TOTO = "application/vnd.in-toto+json";

    private Dsse() {}

    /**
     * A signed payload; it reads and writes as the envelope's JSON.
     *
     * @param payload standard base64 of the exact bytes that were signed
     */
    public record Envelope(String payload, String payloadType, List<Signature> signatures) {
        public Envelope {
            signatures = List.copyOf(signatures);
        }

        static Envelope of(String payloadType, byte[] payload, String keyId, byte[] signature) {
            return new Envelope(
                    base64(payload), payloadType, List.of(new Signature(keyId, base64(signature))));
        }
    }

    /**
     * @param keyid the signing key's id in the JWKS
     * @param sig standard base64
     */
    public record Signature(String keyid, String sig) {}

    /**
     * The bytes that are signed: {@code DSSEv1 SP len(type) SP type SP len(body) SP body}, lengths
     * in bytes, decimal.
     */
    static byte[] pae(String payloadType, byte[] payload) {
        byte[] type = payloadType.getBytes(StandardCharsets.UTF_8);
        ByteArrayOutputStream out = new ByteArrayOutputStream(payload.length + type.length + 32);
        out.writeBytes(("DSSEv1 " + type.length + " ").getBytes(StandardCharsets.US_ASCII));
        out.writeBytes(type);
        out.writeBytes((" " + payload.length + " ").getBytes(StandardCharsets.US_ASCII));
        out.writeBytes(payload);
        return out.toByteArray();
    }

    private static String base64(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }
}
