package io.countersign.attestation;

import io.countersign.kernel.Sha256;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.SignatureException;
import java.security.interfaces.EdECPrivateKey;
import java.security.interfaces.EdECPublicKey;
import java.security.spec.EdECPoint;
import java.security.spec.EdECPublicKeySpec;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.NamedParameterSpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
import java.util.Base64;

/** Ed25519 (RFC 8032) through the JDK, with public keys as their 32 raw bytes. */
final class Ed25519 {
    static final int PUBLIC_BYTES = 32;

    private static final String ALGORITHM = "Ed25519";
    private static final byte[] PROBE = {1};

    private Ed25519() {}

    /** A private key with its public half. */
    record Pair(PrivateKey privateKey, byte[] publicKey) {}

    static Pair generate(SecureRandom random) {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance(ALGORITHM);
            generator.initialize(NamedParameterSpec.ED25519, random);
            KeyPair pair = generator.generateKeyPair();
            return new Pair(pair.getPrivate(), raw((EdECPublicKey) pair.getPublic()));
        } catch (GeneralSecurityException e) {
            throw missing(e);
        }
    }

    /** A private key from its PKCS #8 form. */
    static PrivateKey privateKey(byte[] pkcs8) throws InvalidKeySpecException {
        try {
            return KeyFactory.getInstance(ALGORITHM)
                    .generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
        } catch (InvalidKeySpecException e) {
            throw e;
        } catch (GeneralSecurityException e) {
            throw missing(e);
        }
    }

    /**
     * The public half of a private key. The JDK has no call for it, but a generator that is fed the
     * private bytes as its randomness makes the same pair.
     */
    static byte[] publicKey(PrivateKey key) {
        byte[] seed =
                ((EdECPrivateKey) key)
                        .getBytes()
                        .orElseThrow(() -> new IllegalStateException("the key has no bytes"));
        byte[] publicKey = generate(new Fixed(seed)).publicKey();
        if (!verify(publicKey, PROBE, sign(key, PROBE))) {
            throw new IllegalStateException("the public half of the signing key is not derivable");
        }
        return publicKey;
    }

    static byte[] sign(PrivateKey key, byte[] message) {
        try {
            Signature signature = Signature.getInstance(ALGORITHM);
            signature.initSign(key);
            signature.update(message);
            return signature.sign();
        } catch (GeneralSecurityException e) {
            throw missing(e);
        }
    }

    /** Whether it is the signature of the message under the raw public key. */
    static boolean verify(byte[] publicKey, byte[] message, byte[] signed) {
        try {
            Signature signature = Signature.getInstance(ALGORITHM);
            signature.initVerify(decode(publicKey));
            signature.update(message);
            return signature.verify(signed);
        } catch (SignatureException | InvalidKeyException | InvalidKeySpecException e) {
            return false;
        } catch (GeneralSecurityException e) {
            throw missing(e);
        }
    }

    /** RFC 7638 thumbprint of the key's JWK, in base64url. */
    static String thumbprint(byte[] publicKey) {
        String jwk = "{\"crv\":\"Ed25519\",\"kty\":\"OKP\",\"x\":\"" + base64Url(publicKey) + "\"}";
        return base64Url(Sha256.of(jwk).bytes());
    }

    static String base64Url(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** RFC 8032, 5.1.2: little-endian y, its highest bit the sign of x. */
    private static byte[] raw(EdECPublicKey key) {
        byte[] y = key.getPoint().getY().toByteArray();
        byte[] raw = new byte[PUBLIC_BYTES];
        for (int i = 0; i < Math.min(y.length, PUBLIC_BYTES); i++) {
            raw[i] = y[y.length - 1 - i];
        }
        if (key.getPoint().isXOdd()) {
            raw[PUBLIC_BYTES - 1] |= (byte) 0x80;
        }
        return raw;
    }

    private static PublicKey decode(byte[] raw) throws GeneralSecurityException {
        if (raw.length != PUBLIC_BYTES) {
            throw new InvalidKeyException("an Ed25519 public key has 32 bytes");
        }
        byte[] bigEndian = new byte[PUBLIC_BYTES];
        for (int i = 0; i < PUBLIC_BYTES; i++) {
            bigEndian[i] = raw[PUBLIC_BYTES - 1 - i];
        }
        boolean xOdd = (bigEndian[0] & 0x80) != 0;
        bigEndian[0] &= 0x7f;
        EdECPoint point = new EdECPoint(xOdd, new BigInteger(1, bigEndian));
        return KeyFactory.getInstance(ALGORITHM)
                .generatePublic(new EdECPublicKeySpec(NamedParameterSpec.ED25519, point));
    }

    private static IllegalStateException missing(GeneralSecurityException e) {
        return new IllegalStateException("every JDK has Ed25519", e);
    }

    private static final class Fixed extends SecureRandom {
        private static final long serialVersionUID = 1L;

        private final byte[] bytes;

        Fixed(byte[] bytes) {
            this.bytes = bytes.clone();
        }

        @Override
        public void nextBytes(byte[] target) {
            byte[] copy = Arrays.copyOf(bytes, target.length);
            System.arraycopy(copy, 0, target, 0, target.length);
        }
    }
}
