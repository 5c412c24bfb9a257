package io.countersign.access;

import io.countersign.kernel.PrincipalKind;
import io.countersign.kernel.Role;
import io.countersign.kernel.Sha256;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;

import java.security.MessageDigest;
import java.time.InstantSource;
import java.util.Set;

/**
 * The way in before there is an administrator of all projects: one of some could make no other. It
 * closes in the moment in which such an administrator's first key exists, without a restart, and
 * opens again should none be left that works. An OIDC rule that makes one keeps it closed.
 */
@Component
@Order(2)
class BootstrapKey implements TokenReader, SmartInitializingSingleton {
    private static final Logger log = LoggerFactory.getLogger(BootstrapKey.class);
    static final String PROPERTY = "countersign.access.bootstrap-key";

    /** Its name in the audit; no principal can be created with it. */
    static final String ID = "bootstrap";

    private static final Principal BOOTSTRAP =
            new Principal(
                    ID, PrincipalKind.HUMAN, Set.of(Role.ADMIN), Set.of(), Set.of("*"), null, null);

    private final @Nullable Sha256 digest;
    private final boolean localMode;
    private final boolean oidcAdministrator;
    private final KeyStore keys;
    private final InstantSource clock;

    BootstrapKey(
            AccessProperties properties,
            @Value("${countersign.local.active:false}") boolean localMode,
            KeyStore keys,
            InstantSource clock) {
        String key = properties.bootstrapKey();
        this.digest = key == null ? null : Sha256.of(key);
        this.localMode = localMode;
        this.oidcAdministrator = properties.hasOidcAdministrator();
        this.keys = keys;
        this.clock = clock;
    }

    @Override
    public void afterSingletonsInstantiated() {
        if (localMode) {
            return;
        }
        boolean administered = isAdministered();
        if (!administered && digest == null) {
            throw new IllegalStateException(
                    PROPERTY
                            + " is needed: no administrator of all projects has a key that works. Set"
                            + " it to a random text of at least 32 characters, create an"
                            + " administrator with it, then remove it");
        }
        if (administered && digest != null) {
            log.info("{} is ignored: an administrator exists", PROPERTY);
        }
    }

    @Override
    public Reading read(String token) {
        if (digest == null || !MessageDigest.isEqual(digest.bytes(), Sha256.of(token).bytes())) {
            return new Reading.NotMine();
        }
        if (isAdministered()) {
            log.warn("{} was used and refused: an administrator exists", PROPERTY);
            return new Reading.Refused("the bootstrap key is closed: an administrator exists");
        }
        return new Reading.Known(BOOTSTRAP.caller());
    }

    private boolean isAdministered() {
        return oidcAdministrator || keys.hasAdministrator(clock.instant());
    }
}
