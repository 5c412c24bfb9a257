package io.countersign.attestation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.countersign.attestation.Signer.Signed;
import io.countersign.audit.AuditLog;
import io.countersign.support.IntegrationTest;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import java.security.SecureRandom;
import java.time.InstantSource;

/** Several processes, whose signing settings differ while they are replaced one by one. */
@IntegrationTest
class SigningKeysIntegrationTests {
    private static final byte[] PAYLOAD = {1, 2, 3};

    @Autowired SigningKeyStore store;
    @Autowired AuditLog audit;
    @Autowired SecureRandom random;
    @Autowired InstantSource clock;
    @Autowired JdbcClient jdbc;
    @Autowired PlatformTransactionManager transactions;

    /** To where the replicas are moved. */
    enum Move {
        KEY_FILE,
        OTHER_KEK
    }

    private SigningKeys process(KeySource source) {
        return new SigningKeys(store, source, audit, random, clock, transactions);
    }

    private KeySource kek() {
        byte[] kek = new byte[KeyEncryption.KEY_BYTES];
        random.nextBytes(kek);
        return new KeySource.Stored(new KeyEncryption(kek, random));
    }

    private KeySource file() {
        Ed25519.Pair pair = Ed25519.generate(random);
        return new KeySource.Mounted(
                Ed25519.thumbprint(pair.publicKey()), pair.publicKey(), pair.privateKey());
    }

    /** Other tests share the database: they get their keys back. */
    private void undone(Runnable test) {
        new TransactionTemplate(transactions)
                .executeWithoutResult(
                        status -> {
                            status.setRollbackOnly();
                            takePrivateKeysAway();
                            test.run();
                        });
    }

    /** As docs/operations.md has it for a change of the key-encryption key. */
    private void takePrivateKeysAway() {
        jdbc.sql("update signing_key set private_key = null").update();
    }

    private static Signed sign(SigningKeys process) {
        return process.sign("text/plain", PAYLOAD);
    }

    @ParameterizedTest
    @EnumSource
    void aReplicaOfBeforeSignsOnWhileTheOthersAreMoved(Move move) {
        undone(
                () -> {
                    SigningKeys before = process(kek());
                    before.afterPropertiesSet();
                    String key = sign(before).keyId();
                    KeySource moved =
                            switch (move) {
                                case KEY_FILE -> file();
                                case OTHER_KEK -> {
                                    takePrivateKeysAway();
                                    yield kek();
                                }
                            };

                    SigningKeys after = process(moved);
                    after.afterPropertiesSet();
                    Signed old = sign(before);
                    Signed fresh = sign(after);

                    assertThat(old.keyId()).isEqualTo(key);
                    assertThat(fresh.keyId()).isNotEqualTo(key);
                    assertThat(store.active().orElseThrow().id()).isEqualTo(fresh.keyId());
                    for (Signed each : new Signed[] {old, fresh}) {
                        assertThat(
                                        after.verify(
                                                each.keyId(),
                                                "text/plain",
                                                PAYLOAD,
                                                each.signature()))
                                .isTrue();
                    }
                });
    }

    @Test
    void signsWithTheNewestKeyThatItHas() {
        undone(
                () -> {
                    KeySource kek = kek();
                    SigningKeys first = process(kek);
                    first.afterPropertiesSet();
                    process(file()).afterPropertiesSet();
                    SigningKeys again = process(kek);
                    again.afterPropertiesSet();
                    String newest = sign(again).keyId();
                    process(file()).afterPropertiesSet();

                    assertThat(sign(first).keyId()).isEqualTo(newest);
                });
    }

    @Test
    void anotherKeyEncryptionKeyEndsTheStartAlthoughAnOlderKeyCouldSign() {
        undone(
                () -> {
                    KeySource other = kek();
                    process(other).afterPropertiesSet();
                    process(file()).afterPropertiesSet();
                    process(kek()).afterPropertiesSet();

                    assertThatIllegalStateException()
                            .isThrownBy(process(other)::afterPropertiesSet)
                            .withMessageContaining("countersign.signing.kek");
                });
    }

    @Test
    void saysThatItHasNoKeyAtAll() {
        undone(
                () -> {
                    SigningKeys file = process(file());
                    file.afterPropertiesSet();

                    assertThatIllegalStateException()
                            .isThrownBy(() -> sign(process(kek())))
                            .withMessageContaining(sign(file).keyId())
                            .withMessageContaining("countersign.signing.key-file");
                });
    }
}
