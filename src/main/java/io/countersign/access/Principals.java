package io.countersign.access;

import io.countersign.access.KeyStore.KeyInfo;
import io.countersign.audit.AuditLog;
import io.countersign.kernel.Caller;
import io.countersign.kernel.Cursor;
import io.countersign.kernel.Ids;
import io.countersign.kernel.Page;
import io.countersign.kernel.ProblemCode;
import io.countersign.kernel.ProblemException;
import io.countersign.kernel.ProjectId;
import io.countersign.kernel.Role;
import io.countersign.kernel.Sha256;

import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** Who may call. */
@Service
public class Principals {
    private final PrincipalStore principals;
    private final KeyStore keys;
    private final ApiKeys apiKeys;
    private final Optional<DevelopmentKeys> development;
    private final List<String> oidcNames;
    private final AuditLog audit;
    private final Ids ids;
    private final InstantSource clock;

    Principals(
            PrincipalStore principals,
            KeyStore keys,
            ApiKeys apiKeys,
            Optional<DevelopmentKeys> development,
            AccessProperties properties,
            AuditLog audit,
            Ids ids,
            InstantSource clock) {
        this.principals = principals;
        this.keys = keys;
        this.apiKeys = apiKeys;
        this.development = development;
        this.oidcNames = properties.rules().stream().map(OidcRule::name).toList();
        this.audit = audit;
        this.ids = ids;
        this.clock = clock;
    }

    /** The registered principal of this id, in local mode the development ones too. */
    @Transactional(readOnly = true)
    public Optional<Principal> find(String id) {
        return development
                .flatMap(dev -> dev.find(id))
                .or(() -> principals.find(id).map(PrincipalStore.Row::principal));
    }

    PrincipalStore.Row row(String id) {
        return principals.find(id).orElseThrow(() -> unknown(id));
    }

    List<KeyInfo> keysOf(String id) {
        return keys.of(id);
    }

    Page<PrincipalStore.Row> list(@Nullable Cursor after, int limit) {
        return Page.of(
                principals.list(after, limit + 1),
                limit,
                row -> new Cursor(row.createdAt(), row.uid()));
    }

    @Transactional
    PrincipalStore.Row create(Caller caller, Principal principal) {
        demandFree(principal.id());
        PrincipalStore.Row row = fresh(principal);
        if (!principals.insert(row)) {
            throw new ProblemException(
                    ProblemCode.CONFLICT,
                    "a principal " + principal.id() + " exists; PUT replaces it");
        }
        record(caller, "principal.created", principal);
        return row;
    }

    /** Creates or replaces; its keys stay. */
    @Transactional
    Stored put(Caller caller, Principal principal) {
        demandFree(principal.id());
        PrincipalStore.Row row = fresh(principal);
        if (principals.insert(row)) {
            record(caller, "principal.created", principal);
            return new Stored(row, true);
        }
        principals.update(row);
        record(caller, "principal.replaced", principal);
        return new Stored(row(principal.id()), false);
    }

    record Stored(PrincipalStore.Row row, boolean created) {}

    /** A new key. This is the only time that its secret is seen. */
    @Transactional
    NewKey createKey(Caller caller, String principal, @Nullable Instant expiresAt) {
        row(principal);
        Instant now = clock.instant();
        if (expiresAt != null && !expiresAt.isAfter(now)) {
            throw ProblemException.invalid("/expiresAt", "must be in the future");
        }
        String secret = apiKeys.newSecret();
        KeyInfo key = new KeyInfo(ids.next(), now, caller.id(), expiresAt, null, null);
        keys.insert(principal, Sha256.of(secret), key);
        audit.record(
                caller,
                ProjectId.SERVER,
                "key.created",
                principal,
                Map.of(
                        "keyId",
                        key.keyId(),
                        "expiresAt",
                        expiresAt == null ? "never" : expiresAt.toString()));
        return new NewKey(key.keyId(), secret, expiresAt);
    }

    /**
     * @param secret null where the answer is a repeat
     */
    record NewKey(UUID keyId, @Nullable String secret, @Nullable Instant expiresAt) {
        NewKey withoutSecret() {
            return new NewKey(keyId, null, expiresAt);
        }
    }

    @Transactional
    void revokeKey(Caller caller, String principal, UUID keyId) {
        if (keys.revoke(principal, keyId, clock.instant()) > 0) {
            audit.record(
                    caller, ProjectId.SERVER, "key.revoked", principal, Map.of("keyId", keyId));
        } else if (!keys.exists(principal, keyId)) {
            throw ProblemException.notFound(principal + " has no key " + keyId);
        }
    }

    private PrincipalStore.Row fresh(Principal principal) {
        Instant now = clock.instant();
        return new PrincipalStore.Row(principal, ids.next(), now, now);
    }

    private void demandFree(String id) {
        if (oidcNames.stream().anyMatch(name -> id.startsWith(name + ":"))) {
            throw ProblemException.invalid(
                    "/id", "belongs to the callers of an OIDC rule, whose names begin so");
        }
        if (development.flatMap(dev -> dev.find(id)).isPresent()) {
            throw new ProblemException(
                    ProblemCode.CONFLICT, id + " is a development principal and cannot be changed");
        }
    }

    private void record(Caller caller, String action, Principal principal) {
        Map<String, @Nullable Object> detail = new LinkedHashMap<>();
        detail.put("kind", principal.kind().wire());
        detail.put("roles", principal.roles().stream().map(Role::wire).sorted().toList());
        detail.put("anchorKinds", principal.anchorKinds().stream().sorted().toList());
        detail.put("projects", principal.projects().stream().sorted().toList());
        detail.put("tier", principal.tier());
        detail.put("model", principal.model());
        audit.record(caller, ProjectId.SERVER, action, principal.id(), detail);
    }

    private static ProblemException unknown(String id) {
        return ProblemException.notFound("there is no principal " + id);
    }
}
