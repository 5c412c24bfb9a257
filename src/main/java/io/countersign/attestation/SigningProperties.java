package io.countersign.attestation;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

import java.nio.file.Path;

/**
 * What signs attestations, receipts and audit heads. Server mode needs one of {@code key-file},
 * {@code kek} and {@code kek-file}; local mode makes a key-encryption key of its own in its data
 * directory.
 *
 * @param keyFile a mounted Ed25519 private key (PEM, PKCS #8); the service then keeps no private
 *     key in its database
 * @param kek the key-encryption key as 32 bytes in base64: private keys are made by the service and
 *     stored encrypted under it
 * @param kekFile a mounted file that holds the same
 * @param verifierId the {@code verifier.id} of statements, a URI that names this service to its
 *     consumers
 */
@ConfigurationProperties("countersign.signing")
record SigningProperties(
        @Nullable Path keyFile,
        @Nullable String kek,
        @Nullable Path kekFile,
        @DefaultValue("urn:countersign:verifier") String verifierId) {
    SigningProperties {
        if (verifierId.isBlank() || verifierId.indexOf(':') < 1) {
            throw new IllegalArgumentException("countersign.signing.verifier-id must be a URI");
        }
        if (kek != null && kek.isBlank()) {
            kek = null;
        }
        if (kek != null && kekFile != null) {
            throw new IllegalArgumentException(
                    "set countersign.signing.kek or countersign.signing.kek-file, not both");
        }
    }

    /** Secrets do not belong into a log. */
    @Override
    public String toString() {
        return "SigningProperties[keyFile=" + keyFile + ", kekFile=" + kekFile + "]";
    }
}
