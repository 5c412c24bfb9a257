package io.countersign.access;

import com.fasterxml.jackson.annotation.JsonUnwrapped;

import io.countersign.access.KeyStore.KeyInfo;
import io.countersign.kernel.Caller;
import io.countersign.kernel.Cursor;
import io.countersign.kernel.IdempotencyKeys;
import io.countersign.kernel.IdempotentRequest;
import io.countersign.kernel.Page;
import io.countersign.kernel.PrincipalKind;
import io.countersign.kernel.Role;
import io.countersign.kernel.StoredAnswer;

import jakarta.annotation.security.RolesAllowed;

import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Principals and their keys, for administrators of the whole service: one that reaches some
 * projects only could otherwise make itself a key that reaches all.
 */
@RestController
@RequestMapping("/v1/principals")
@RolesAllowed("admin")
class PrincipalController {
    private final Principals principals;
    private final IdempotencyKeys idempotency;

    PrincipalController(Principals principals, IdempotencyKeys idempotency) {
        this.principals = principals;
        this.idempotency = idempotency;
    }

    /** A principal as callers see it. */
    record PrincipalView(
            String id,
            PrincipalKind kind,
            List<Role> roles,
            List<String> anchorKinds,
            List<String> projects,
            @Nullable String tier,
            @Nullable String model,
            Instant createdAt,
            Instant updatedAt) {
        static PrincipalView of(PrincipalStore.Row row) {
            Principal principal = row.principal();
            return new PrincipalView(
                    principal.id(),
                    principal.kind(),
                    principal.roles().stream().sorted().toList(),
                    principal.anchorKinds().stream().sorted().toList(),
                    principal.projects().stream().sorted().toList(),
                    principal.tier(),
                    principal.model(),
                    row.createdAt(),
                    row.updatedAt());
        }
    }

    /** A principal with what is known of its keys. */
    record PrincipalWithKeys(@JsonUnwrapped PrincipalView principal, List<KeyInfo> keys) {}

    /** What a new key shall be. */
    record KeyRequest(@Nullable Instant expiresAt) {}

    @PostMapping
    ResponseEntity<PrincipalView> create(
            Caller caller, IdempotentRequest once, @RequestBody PrincipalRequest request) {
        caller.demandWhole("principals");
        Principal principal = request.toPrincipal(null);
        return idempotency
                .once(
                        once,
                        () -> {
                            PrincipalStore.Row row = principals.create(caller, principal);
                            return ResponseEntity.created(location(principal.id()))
                                    .body(PrincipalView.of(row));
                        })
                .toResponse();
    }

    @PutMapping("/{id}")
    ResponseEntity<PrincipalView> put(
            Caller caller, @PathVariable String id, @RequestBody PrincipalRequest request) {
        caller.demandWhole("principals");
        Principals.Stored stored = principals.put(caller, request.toPrincipal(id));
        HttpStatus status = stored.created() ? HttpStatus.CREATED : HttpStatus.OK;
        return ResponseEntity.status(status).body(PrincipalView.of(stored.row()));
    }

    @GetMapping
    Page<PrincipalView> list(
            Caller caller,
            @RequestParam(required = false) @Nullable Integer limit,
            @RequestParam(required = false) @Nullable String cursor) {
        caller.demandWhole("principals");
        Cursor after = cursor == null ? null : Cursor.parse(cursor);
        return principals.list(after, Page.limit(limit)).map(PrincipalView::of);
    }

    @GetMapping("/{id}")
    PrincipalWithKeys get(Caller caller, @PathVariable String id) {
        caller.demandWhole("principals");
        return new PrincipalWithKeys(PrincipalView.of(principals.row(id)), principals.keysOf(id));
    }

    /** A repeat makes no second key and has no secret: a stored answer would be a stored secret. */
    @PostMapping("/{id}/keys")
    @ResponseStatus(HttpStatus.CREATED)
    ResponseEntity<Principals.NewKey> createKey(
            Caller caller,
            IdempotentRequest once,
            @PathVariable String id,
            @RequestBody(required = false) @Nullable KeyRequest request) {
        caller.demandWhole("principals");
        Instant expiresAt = request == null ? null : request.expiresAt();
        AtomicReference<Principals.@Nullable NewKey> made = new AtomicReference<>();
        StoredAnswer answer =
                idempotency.once(
                        once,
                        () -> {
                            Principals.NewKey key = principals.createKey(caller, id, expiresAt);
                            made.set(key);
                            return ResponseEntity.status(HttpStatus.CREATED)
                                    .body(key.withoutSecret());
                        });
        Principals.NewKey shownOnce = made.get();
        return shownOnce == null
                ? answer.toResponse()
                : ResponseEntity.status(HttpStatus.CREATED).body(shownOnce);
    }

    @DeleteMapping("/{id}/keys/{keyId}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void revokeKey(Caller caller, @PathVariable String id, @PathVariable UUID keyId) {
        caller.demandWhole("principals");
        principals.revokeKey(caller, id, keyId);
    }

    private static URI location(String id) {
        return URI.create("/v1/principals/" + id);
    }
}
