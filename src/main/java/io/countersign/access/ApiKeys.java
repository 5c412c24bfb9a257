package io.countersign.access;

import io.countersign.kernel.Sha256;

import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;

import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Optional;

/**
 * Keys that administrators hand out: {@code cs_} and 256 random bits. Only the digest is stored,
 * and every request looks it up, so that a revoked key stops at once on every replica.
 */
@Component
@Order(3)
class ApiKeys implements TokenReader {
    static final String PREFIX = "cs_";

    private static final int SECRET_BYTES = 32;
    private static final Duration NOTED_EVERY = Duration.ofMinutes(1);

    private final KeyStore keys;
    private final SecureRandom random;
    private final InstantSource clock;

    ApiKeys(KeyStore keys, SecureRandom random, InstantSource clock) {
        this.keys = keys;
        this.random = random;
        this.clock = clock;
    }

    String newSecret() {
        byte[] secret = new byte[SECRET_BYTES];
        random.nextBytes(secret);
        return PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(secret);
    }

    @Override
    public Reading read(String token) {
        if (!token.startsWith(PREFIX)) {
            return new Reading.NotMine();
        }
        Sha256 digest = Sha256.of(token);
        Optional<KeyStore.Found> found = keys.find(digest);
        if (found.isEmpty()
                || !MessageDigest.isEqual(found.get().secret().bytes(), digest.bytes())) {
            return new Reading.Refused("this key is not known here");
        }
        return read(found.get(), clock.instant());
    }

    private Reading read(KeyStore.Found key, Instant now) {
        if (key.revokedAt() != null) {
            return new Reading.Refused("this key was revoked");
        }
        if (key.expiresAt() != null && !key.expiresAt().isAfter(now)) {
            return new Reading.Refused("this key has expired");
        }
        if (key.lastUsedAt() == null || !key.lastUsedAt().plus(NOTED_EVERY).isAfter(now)) {
            keys.touch(key.keyId(), now, NOTED_EVERY);
        }
        return new Reading.Known(key.principal().caller());
    }
}
