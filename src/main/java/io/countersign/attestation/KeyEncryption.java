package io.countersign.attestation;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;

import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/** Encrypts private keys at rest: AES-256-GCM, bound to the id of the key. */
final class KeyEncryption {
    static final int KEY_BYTES = 32;

    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;

    private final SecretKeySpec key;
    private final SecureRandom random;

    KeyEncryption(byte[] key, SecureRandom random) {
        if (key.length != KEY_BYTES) {
            throw new IllegalArgumentException("a key-encryption key has 32 bytes");
        }
        this.key = new SecretKeySpec(key, "AES");
        this.random = random;
    }

    /**
     * Reads a key-encryption key.
     *
     * @param setting the property that it comes from, for the message
     * @throws IllegalStateException when it is not 32 bytes in base64
     */
    static byte[] parse(String setting, String base64) {
        byte[] key;
        try {
            key = Base64.getDecoder().decode(base64.strip());
        } catch (IllegalArgumentException e) {
            key = new byte[0];
        }
        if (key.length != KEY_BYTES) {
            throw new IllegalStateException(
                    setting + " must be 32 random bytes in base64 (openssl rand -base64 32)");
        }
        return key;
    }

    /** Nonce and ciphertext of a secret that belongs to {@code id}. */
    byte[] encrypt(String id, byte[] secret) {
        byte[] nonce = new byte[NONCE_BYTES];
        random.nextBytes(nonce);
        byte[] sealed = run(Cipher.ENCRYPT_MODE, id, nonce, secret);
        byte[] whole = Arrays.copyOf(nonce, NONCE_BYTES + sealed.length);
        System.arraycopy(sealed, 0, whole, NONCE_BYTES, sealed.length);
        return whole;
    }

    /**
     * @throws IllegalStateException when it was encrypted under another key, for another id, or
     *     changed since
     */
    byte[] decrypt(String id, byte[] whole) {
        byte[] nonce = Arrays.copyOf(whole, NONCE_BYTES);
        byte[] sealed = Arrays.copyOfRange(whole, NONCE_BYTES, whole.length);
        return run(Cipher.DECRYPT_MODE, id, nonce, sealed);
    }

    private byte[] run(int mode, String id, byte[] nonce, byte[] input) {
        try {
            Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
            cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce));
            cipher.updateAAD(("countersign.signing-key\n" + id).getBytes(StandardCharsets.UTF_8));
            return cipher.doFinal(input);
        } catch (AEADBadTagException e) {
            throw new IllegalStateException(
                    "signing key "
                            + id
                            + " was stored under another key-encryption key than"
                            + " countersign.signing.kek",
                    e);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has AES-GCM", e);
        }
    }
}
