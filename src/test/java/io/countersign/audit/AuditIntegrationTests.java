package io.countersign.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.countersign.audit.AuditVerifier.Fault;
import io.countersign.audit.AuditVerifier.FaultKind;
import io.countersign.audit.AuditVerifier.Finding;
import io.countersign.kernel.Caller;
import io.countersign.kernel.PrincipalKind;
import io.countersign.kernel.ProjectId;
import io.countersign.kernel.Sha256;
import io.countersign.support.IntegrationTest;
import io.countersign.support.ServiceClient;
import io.countersign.support.ServiceClient.Answer;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.support.TransactionTemplate;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

@IntegrationTest
class AuditIntegrationTests {
    private static final Caller CALLER =
            new Caller(
                    "orchestrator",
                    PrincipalKind.ORCHESTRATOR,
                    Set.of(),
                    Set.of(),
                    Set.of("*"),
                    null,
                    null,
                    null);

    @Autowired ServiceClient client;
    @Autowired AuditLog log;
    @Autowired AuditSealer sealer;
    @Autowired AuditVerifier verifier;
    @Autowired AuditStore events;
    @Autowired HeadStore heads;
    @Autowired JdbcClient jdbc;
    @Autowired TransactionTemplate transaction;
    @Autowired InstantSource clock;

    private ServiceClient admin;
    private final ProjectId project = new ProjectId("audit/" + UUID.randomUUID());

    @BeforeEach
    void beAdministrator() {
        admin = client.as("dev-admin");
    }

    private void record(String... subjects) {
        transaction.executeWithoutResult(
                status -> {
                    for (String subject : subjects) {
                        log.record(
                                CALLER,
                                project,
                                "thing.done",
                                subject,
                                Map.of("n", 1.50, "text", "caf\u00e9 \u0000 \ud800"));
                    }
                });
    }

    /** Two batches of three and two rows. */
    private void sealTwoBatches() {
        record("a", "b", "c");
        sealAll();
        record("d", "e");
        sealAll();
    }

    private void sealAll() {
        await().untilAsserted(
                        () -> {
                            sealer.seal();
                            assertThat(events.unsealed(project.value(), 1)).isEmpty();
                        });
    }

    private Finding verify() {
        return verifier.verify(project.value(), null);
    }

    /** What is found after somebody with the database's own rights did this; then undone. */
    private Finding after(String... statements) {
        return transaction.execute(
                status -> {
                    jdbc.sql("set local session_replication_role = replica").update();
                    for (String statement : statements) {
                        int rows = jdbc.sql(statement).param("p", project.value()).update();
                        assertThat(rows).as(statement).isPositive();
                    }
                    status.setRollbackOnly();
                    return verify();
                });
    }

    @Test
    void anUntouchedChainIsIntact() {
        sealTwoBatches();

        Finding finding = verify();

        assertThat(finding.faults()).isEmpty();
        assertThat(finding.intact()).isTrue();
        assertThat(finding.chains())
                .singleElement()
                .satisfies(
                        chain -> {
                            assertThat(chain.batches()).isEqualTo(2);
                            assertThat(chain.events()).isEqualTo(5);
                            assertThat(chain.unsealed()).isZero();
                        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "principal = 'somebody'",
                "principal_kind = 'human'",
                "action = 'thing.undone'",
                "subject = 'z'",
                "request_id = 'r'",
                "at = at + interval '1 microsecond'",
                "detail = '{}'",
                "detail = jsonb_set(detail, '{n}', '1.51')",
                "sha256 = repeat('0', 64)",
                "id = gen_random_uuid()",
            })
    void anEditedRowShows(String edit) {
        sealTwoBatches();

        Finding finding =
                after("update audit_event set " + edit + " where project = :p and subject = 'b'");

        assertThat(finding.intact()).isFalse();
        assertThat(finding.faults()).extracting(Fault::kind).contains(FaultKind.EVENT_EDITED);
        assertThat(finding.faults()).extracting(Fault::batch).contains(1L);
    }

    @ParameterizedTest
    @CsvSource({"a, 1", "c, 1", "e, 2"})
    void aRemovedRowShows(String subject, long batch) {
        sealTwoBatches();

        Finding finding =
                after("delete from audit_event where project = :p and subject = '" + subject + "'");

        assertThat(finding.faults())
                .singleElement()
                .satisfies(
                        fault -> {
                            assertThat(fault.kind()).isEqualTo(FaultKind.EVENTS_MISSING_OR_ADDED);
                            assertThat(fault.batch()).isEqualTo(batch);
                        });
    }

    @Test
    void aRowThatWasSlippedInLaterShows() {
        sealTwoBatches();
        record("f");

        assertThat(
                        after(
                                        "update audit_event set batch = 1 where project = :p and subject = 'f'")
                                .faults())
                .extracting(Fault::kind)
                .containsExactly(FaultKind.EVENTS_MISSING_OR_ADDED);
    }

    @Test
    void aRowThatWasEditedBeforeItsSealShowsToo() {
        record("f");

        assertThat(after("update audit_event set subject = 'g' where project = :p").faults())
                .extracting(Fault::kind)
                .contains(FaultKind.EVENT_EDITED);
    }

    @Test
    void anEndThatWasCutOffShowsInTheChainThroughAllProjects() {
        sealTwoBatches();
        record("later");
        sealAll();
        String cut = "delete from audit_batch where project = :p and number = 2";
        String rows = "delete from audit_event where project = :p and batch = 2";

        assertThat(after(cut).faults()).extracting(Fault::kind).contains(FaultKind.HEAD_MISSING);
        assertThat(after(cut, rows).faults())
                .extracting(Fault::kind)
                .contains(FaultKind.HEAD_MISSING, FaultKind.SERIAL_MISSING);
    }

    @Test
    void anEndOfEverythingThatWasCutOffShowsByTheHeadThatSomebodyNoted() {
        sealTwoBatches();
        Sha256 noted = verify().chains().getFirst().head().sha256();
        assertThat(verifier.verify(project.value(), noted).intact()).isTrue();

        Finding finding =
                transaction.execute(
                        status -> {
                            jdbc.sql("set local session_replication_role = replica").update();
                            jdbc.sql(
                                            """
                                            delete from audit_batch where serial >= (
                                                select serial from audit_batch
                                                where project = :p and number = 2)
                                            """)
                                    .param("p", project.value())
                                    .update();
                            jdbc.sql("delete from audit_event where project = :p and batch = 2")
                                    .param("p", project.value())
                                    .update();
                            status.setRollbackOnly();
                            return verifier.verify(project.value(), noted);
                        });

        assertThat(finding.faults())
                .extracting(Fault::kind)
                .containsExactly(FaultKind.NOTED_HEAD_MISSING);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "events = 4",
                "rows_sha256 = repeat('0', 64)",
                "sealed_at = now()",
                "serial = serial + 1000000",
                "previous_serial_sha256 = repeat('1', 64)",
                "sha256 = repeat('1', 64)",
            })
    void anEditedHeadShows(String edit) {
        sealTwoBatches();

        assertThat(
                        after(
                                        "update audit_batch set "
                                                + edit
                                                + " where project = :p and number = 1")
                                .faults())
                .extracting(Fault::kind)
                .contains(FaultKind.HEAD_EDITED);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "update audit_event set subject = 'x'",
                "update audit_event set batch = null",
                "update audit_event set batch = batch + 1",
                "update audit_event set batch = 1, subject = 'x' where batch is null",
                "delete from audit_event",
                "truncate audit_event",
                "update audit_batch set events = 0",
                "delete from audit_batch",
                "truncate audit_batch",
            })
    void theServiceItselfCanOnlyAppend(String statement) {
        sealTwoBatches();
        record("open");

        assertThatExceptionOfType(DataAccessException.class)
                .isThrownBy(
                        () ->
                                transaction.executeWithoutResult(
                                        status -> {
                                            status.setRollbackOnly();
                                            jdbc.sql(statement).update();
                                        }))
                .withStackTraceContaining("append-only");
    }

    @Test
    void headsAreSignedWhereThereIsASigner() {
        Ed25519HeadSigner signer = new Ed25519HeadSigner();
        AuditSealer signing =
                new AuditSealer(
                        events,
                        heads,
                        Optional.of(signer),
                        transaction.getTransactionManager(),
                        clock,
                        new AuditProperties(Duration.ofSeconds(10)));
        AuditVerifier checking = new AuditVerifier(events, heads, Optional.of(signer));
        AuditVerifier unsigning = new AuditVerifier(events, heads, Optional.empty());
        AuditVerifier other =
                new AuditVerifier(events, heads, Optional.of(new Ed25519HeadSigner()));
        transaction.executeWithoutResult(
                status -> {
                    status.setRollbackOnly();
                    record("a");
                    await().until(heads::lock);
                    signing.seal();
                    assertThat(heads.last(project.value()).orElseThrow().head().signature())
                            .isNotNull();
                    assertThat(checking.verify(project.value(), null).faults()).isEmpty();
                    assertThat(other.verify(project.value(), null).faults())
                            .extracting(Fault::kind)
                            .containsExactly(FaultKind.SIGNATURE_INVALID);
                    assertThat(unsigning.verify(project.value(), null).faults())
                            .as("nobody is there who could check it")
                            .extracting(Fault::kind)
                            .containsExactly(FaultKind.SIGNATURE_INVALID);
                });
    }

    @Test
    void aChainThatWasSealedAgainWithoutTheKeyShows() {
        sealTwoBatches();
        AuditSealer forger =
                new AuditSealer(
                        events,
                        heads,
                        Optional.empty(),
                        transaction.getTransactionManager(),
                        clock,
                        new AuditProperties(Duration.ofSeconds(10)));

        Finding finding =
                transaction.execute(
                        status -> {
                            status.setRollbackOnly();
                            await().until(heads::lock);
                            jdbc.sql("set local session_replication_role = replica").update();
                            for (String table : List.of("audit_batch", "audit_event")) {
                                jdbc.sql("delete from " + table + " where project = :p")
                                        .param("p", project.value())
                                        .update();
                            }
                            record("forged");
                            forger.seal();
                            return verify();
                        });

        assertThat(finding.faults()).extracting(Fault::kind).contains(FaultKind.SIGNATURE_INVALID);
        assertThat(finding.chains().getFirst().unsignedBatches()).isEqualTo(1);
    }

    @Test
    void aHeadThatLostItsSignatureShows() {
        sealTwoBatches();

        Finding finding =
                after(
                        "update audit_batch set key_id = null, signature = null where project = :p"
                                + " and number = 1");

        assertThat(finding.faults())
                .singleElement()
                .satisfies(
                        fault -> {
                            assertThat(fault.kind()).isEqualTo(FaultKind.SIGNATURE_INVALID);
                            assertThat(fault.batch()).isEqualTo(1);
                        });
    }

    @Test
    void replicasTakeTurnsAtSealing() throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> work = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                String subject = "s" + i;
                work.add(threads.submit(() -> record(subject, subject + "'")));
                work.add(threads.submit(() -> sealer.seal()));
            }
            for (Future<?> each : work) {
                each.get();
            }
        }
        sealAll();

        Finding finding = verify();
        assertThat(finding.faults()).isEmpty();
        assertThat(finding.chains().getFirst().events()).isEqualTo(40);
    }

    @Test
    void recordingNeedsTheTransactionOfTheWrite() {
        assertThatExceptionOfType(IllegalTransactionStateException.class)
                .isThrownBy(() -> log.record(CALLER, project, "a", "b", Map.of()));
    }

    @Test
    void listsEventsNewestFirstInPagesAndByFilter() {
        record("a", "b", "c");
        String path = "/v1/audit?project=" + project;

        Answer first = admin.get(path + "&limit=2");
        Answer second = admin.get(path + "&limit=2&cursor=" + first.at("/next").asString());

        assertThat(first.status()).as(first.text()).isEqualTo(200);
        assertThat(first.at("/items/0/subject").asString()).isEqualTo("c");
        assertThat(first.at("/items/0/principal").asString()).isEqualTo("orchestrator");
        assertThat(first.at("/items/0/detail/text").asString())
                .isEqualTo("caf\u00e9 \ufffd \ufffd");
        assertThat(second.at("/items").size()).isEqualTo(1);
        assertThat(second.at("/next").isNull()).isTrue();
        assertThat(admin.get(path + "&subject=b").at("/items").size()).isEqualTo(1);
        assertThat(admin.get(path + "&action=none").at("/items").size()).isZero();
        assertThat(admin.get(path + "&principal=orchestrator").at("/items").size()).isEqualTo(3);
        assertThat(admin.get(path + "&from=2100-01-01T00:00:00Z").at("/items").size()).isZero();
        assertThat(admin.get(path + "&to=2100-01-01T00:00:00Z").at("/items").size()).isEqualTo(3);
        assertThat(admin.get(path + "&from=yesterday").status()).isEqualTo(422);
        assertThat(client.get(path).status()).isEqualTo(403);
    }

    @Test
    void answersTheVerificationOverHttp() {
        sealTwoBatches();
        String path = "/v1/audit/verify?project=" + project;

        Answer answer = admin.get(path);

        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        assertThat(answer.at("/intact").asBoolean()).isTrue();
        assertThat(answer.at("/chains/0/head/sha256").asString()).matches("[0-9a-f]{64}");
        Answer cut = admin.get(path + "&head=" + "0".repeat(64));
        assertThat(cut.at("/intact").asBoolean()).isFalse();
        assertThat(cut.at("/faults/0/kind").asString()).isEqualTo("noted_head_missing");
        assertThat(admin.get(path + "&head=x").status()).isEqualTo(422);
        assertThat(admin.get("/v1/audit/verify").at("/intact").asBoolean()).isTrue();
    }
}
