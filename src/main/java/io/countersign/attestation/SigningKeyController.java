package io.countersign.attestation;

import io.countersign.attestation.SigningKeyStore.Row;
import io.countersign.kernel.AnyCaller;
import io.countersign.kernel.Caller;

import jakarta.annotation.security.RolesAllowed;

import org.jspecify.annotations.Nullable;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** The public halves of the signing keys, and their rotation. */
@RestController
class SigningKeyController {
    private static final Duration CACHED = Duration.ofMinutes(5);

    private final SigningKeys keys;

    SigningKeyController(SigningKeys keys) {
        this.keys = keys;
    }

    /** A JSON Web Key Set (RFC 7517, RFC 8037). */
    record KeySet(List<Key> keys) {}

    record Key(String kty, String crv, String x, String kid, String use, String alg) {
        static Key of(Row row) {
            String x = Ed25519.base64Url(row.publicKey());
            return new Key("OKP", "Ed25519", x, row.id(), "sig", "EdDSA");
        }
    }

    /** Active and retired keys: what a retired one signed still verifies. */
    @GetMapping("/.well-known/jwks.json")
    @AnyCaller(orNobody = true)
    ResponseEntity<KeySet> jwks() {
        return ResponseEntity.ok()
                .cacheControl(CacheControl.maxAge(CACHED).cachePublic())
                .body(new KeySet(keys.all().stream().map(Key::of).toList()));
    }

    /** A key as administrators see it. */
    record View(String keyId, Instant createdAt, String createdBy, @Nullable Instant retiredAt) {
        static View of(Row row) {
            return new View(row.id(), row.createdAt(), row.createdBy(), row.retiredAt());
        }
    }

    @GetMapping("/v1/signing-keys")
    @RolesAllowed("admin")
    List<View> list() {
        return keys.all().stream().map(View::of).toList();
    }

    @PostMapping("/v1/signing-keys/rotate")
    @RolesAllowed("admin")
    @ResponseStatus(HttpStatus.CREATED)
    View rotate(Caller caller) {
        return View.of(keys.rotate(caller));
    }
}
