package io.countersign.attestation;

import io.countersign.audit.HeadSigner;

import org.springframework.stereotype.Component;

import java.util.Base64;

/** Signs the heads of the audit chains with the service's own key. */
@Component
class AuditHeadSigner implements HeadSigner {
    static final String PAYLOAD_TYPE = "application/vnd.countersign.audit-head+json";

    private final Signer signer;

    AuditHeadSigner(Signer signer) {
        this.signer = signer;
    }

    @Override
    public Signature sign(byte[] head) {
        Signer.Signed signed = signer.sign(PAYLOAD_TYPE, head);
        return new Signature(
                signed.keyId(), Base64.getEncoder().encodeToString(signed.signature()));
    }

    @Override
    public boolean verify(byte[] head, Signature signature) {
        byte[] bytes;
        try {
            bytes = Base64.getDecoder().decode(signature.value());
        } catch (IllegalArgumentException e) {
            return false;
        }
        return signer.verify(signature.keyId(), PAYLOAD_TYPE, head, bytes);
    }
}
