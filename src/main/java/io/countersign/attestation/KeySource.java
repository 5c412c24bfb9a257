package io.countersign.attestation;

import java.security.PrivateKey;

/** Where the private half of the signing key comes from. */
sealed interface KeySource {
    /**
     * A mounted file. It is the one key that this process signs with.
     *
     * @param id of the key
     */
    record Mounted(String id, byte[] publicKey, PrivateKey privateKey) implements KeySource {}

    /** The database, where private keys are encrypted. */
    record Stored(KeyEncryption encryption) implements KeySource {}
}
