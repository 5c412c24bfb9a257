package io.countersign.audit;

import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.util.Base64;

/** A signer with a key of its own. */
final class Ed25519HeadSigner implements HeadSigner {
    private final KeyPair keys;

    Ed25519HeadSigner() {
        try {
            keys = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public Signature sign(byte[] head) {
        try {
            var signature = java.security.Signature.getInstance("Ed25519");
            signature.initSign(keys.getPrivate());
            signature.update(head);
            return new Signature("test", Base64.getEncoder().encodeToString(signature.sign()));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public boolean verify(byte[] head, Signature given) {
        try {
            var signature = java.security.Signature.getInstance("Ed25519");
            signature.initVerify(keys.getPublic());
            signature.update(head);
            return signature.verify(Base64.getDecoder().decode(given.value()));
        } catch (GeneralSecurityException e) {
            return false;
        }
    }
}
