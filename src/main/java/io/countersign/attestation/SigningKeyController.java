package io.countersign.attestation;

import io.countersign.attestation.SigningKeyStore.Row;
import io.countersign.kernel.AnyCaller;
import io.countersign.kernel.Caller;
import io.countersign.kernel.IdempotencyKeys;
import io.countersign.kernel.IdempotentRequest;

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

/** The public halves of the signing keys, and their rotation by administrators of the whole. */
@RestController
class SigningKeyController {
    private static final String WHAT = "signing keys";
    private static final Duration CACHED = Duration.ofMinutes(5);

    private final SigningKeys keys;
    private final IdempotencyKeys idempotency;

    SigningKeyController(SigningKeys keys, IdempotencyKeys idempotency) {
        this.keys = keys;
        this.idempotency = idempotency;
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
    List<View> list(Caller caller) {
        caller.demandWhole(WHAT);
        return keys.all().stream().map(View::of).toList();
    }

    @PostMapping("/v1/signing-keys/rotate")
    @RolesAllowed("admin")
    @ResponseStatus(HttpStatus.CREATED)
    ResponseEntity<View> rotate(Caller caller, IdempotentRequest once) {
        caller.demandWhole(WHAT);
        return idempotency
                .once(
                        once,
                        () ->
                                ResponseEntity.status(HttpStatus.CREATED)
                                        .body(View.of(keys.rotate(caller))))
                .toResponse();
    }
}
