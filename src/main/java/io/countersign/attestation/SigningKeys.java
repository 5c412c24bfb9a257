package io.countersign.attestation;

import io.countersign.attestation.SigningKeyStore.Row;
import io.countersign.audit.AuditLog;
import io.countersign.kernel.Caller;
import io.countersign.kernel.ProblemCode;
import io.countersign.kernel.ProblemException;
import io.countersign.kernel.ProjectId;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.stereotype.Service;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;

import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.spec.InvalidKeySpecException;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The keys of this service: one active, the others retired and kept. */
@Service
class SigningKeys implements Signer, InitializingBean {
    private static final Logger log = LoggerFactory.getLogger(SigningKeys.class);

    private final SigningKeyStore store;
    private final KeySource source;
    private final AuditLog audit;
    private final SecureRandom random;
    private final InstantSource clock;
    private final TransactionTemplate transaction;
    private final Map<String, PrivateKey> decrypted = new ConcurrentHashMap<>();

    SigningKeys(
            SigningKeyStore store,
            KeySource source,
            AuditLog audit,
            SecureRandom random,
            InstantSource clock,
            PlatformTransactionManager transactions) {
        this.store = store;
        this.source = source;
        this.audit = audit;
        this.random = random;
        this.clock = clock;
        this.transaction = new TransactionTemplate(transactions);
    }

    /** Makes sure at the start that this process can sign, so that no verdict finds out. */
    @Override
    public void afterPropertiesSet() {
        transaction.executeWithoutResult(status -> prepare());
        sign("text/plain", new byte[] {1});
    }

    private void prepare() {
        switch (source) {
            case KeySource.Mounted mounted -> adopt(mounted);
            case KeySource.Stored stored -> {
                Row active = store.active().orElse(null);
                if (active == null || active.privateKey() == null) {
                    store.retireActive(clock.instant());
                    store.insertActive(generated(stored, Caller.SERVICE));
                } else {
                    // A wrong key-encryption key ends the start: sign() would look for another key.
                    decrypted.put(active.id(), decrypt(stored, active.id(), active.privateKey()));
                }
            }
        }
    }

    /** A mounted key that was not seen before becomes the active one. */
    private void adopt(KeySource.Mounted mounted) {
        if (store.find(mounted.id()).isPresent()) {
            return;
        }
        store.retireActive(clock.instant());
        store.insertActive(
                new Row(
                        mounted.id(),
                        mounted.publicKey(),
                        null,
                        clock.instant(),
                        Caller.SERVICE,
                        null));
    }

    private Row generated(KeySource.Stored stored, String by) {
        Ed25519.Pair pair = Ed25519.generate(random);
        String id = Ed25519.thumbprint(pair.publicKey());
        byte[] sealed = stored.encryption().encrypt(id, pair.privateKey().getEncoded());
        return new Row(id, pair.publicKey(), sealed, clock.instant(), by, null);
    }

    @Override
    public Signed sign(String payloadType, byte[] payload) {
        byte[] message = Dsse.pae(payloadType, payload);
        return switch (source) {
            case KeySource.Mounted mounted ->
                    new Signed(mounted.id(), Ed25519.sign(mounted.privateKey(), message));
            case KeySource.Stored stored -> {
                Usable key = usable(stored);
                yield new Signed(key.id(), Ed25519.sign(key.privateKey(), message));
            }
        };
    }

    private record Usable(String id, PrivateKey privateKey) {}

    /**
     * The active key. While replicas are moved one by one to a mounted key, or to another
     * key-encryption key, that is one that only the new ones have: until it is replaced, a process
     * signs on with the newest that it has, which verifies still.
     */
    private Usable usable(KeySource.Stored stored) {
        Row active = store.active().orElseThrow(SigningKeys::noKey);
        return usable(stored, active)
                .or(
                        () ->
                                store.all().stream()
                                        .flatMap(row -> usable(stored, row).stream())
                                        .findFirst())
                .orElseThrow(
                        () ->
                                new IllegalStateException(
                                        "this process has the private half of no signing key: "
                                                + active.id()
                                                + " is from another countersign.signing.key-file or"
                                                + " countersign.signing.kek"));
    }

    /** The row's key where this process has it, has had it, or can decrypt it. */
    private Optional<Usable> usable(KeySource.Stored stored, Row row) {
        PrivateKey key = decrypted.get(row.id());
        if (key == null && row.privateKey() != null) {
            try {
                key = decrypt(stored, row.id(), row.privateKey());
                decrypted.put(row.id(), key);
            } catch (IllegalStateException e) {
                log.debug("signing key {} cannot be used here", row.id(), e);
            }
        }
        return Optional.ofNullable(key).map(known -> new Usable(row.id(), known));
    }

    private static PrivateKey decrypt(KeySource.Stored stored, String id, byte[] sealed) {
        try {
            return Ed25519.privateKey(stored.encryption().decrypt(id, sealed));
        } catch (InvalidKeySpecException e) {
            throw new IllegalStateException("the stored signing key " + id + " is broken", e);
        }
    }

    @Override
    public boolean verify(String keyId, String payloadType, byte[] payload, byte[] signature) {
        return store.find(keyId)
                .map(
                        row ->
                                Ed25519.verify(
                                        row.publicKey(), Dsse.pae(payloadType, payload), signature))
                .orElse(false);
    }

    List<Row> all() {
        return store.all();
    }

    /**
     * Retires the active key and makes a new one.
     *
     * @throws ProblemException 409 when the key is mounted: then the file is what changes
     */
    @Transactional
    public Row rotate(Caller caller) {
        if (!(source instanceof KeySource.Stored stored)) {
            throw new ProblemException(
                    ProblemCode.CONFLICT,
                    "the signing key is a mounted file (countersign.signing.key-file): replace the"
                            + " file and restart");
        }
        Row fresh = generated(stored, caller.id());
        store.retireActive(clock.instant());
        if (!store.insertActive(fresh)) {
            throw new ProblemException(
                    ProblemCode.CONFLICT, "another rotation is under way: look at the keys");
        }
        audit.record(
                caller,
                ProjectId.SERVER,
                "signing-key.rotated",
                fresh.id(),
                Map.of("keyId", fresh.id()));
        return fresh;
    }

    private static IllegalStateException noKey() {
        return new IllegalStateException("there is no active signing key");
    }
}
