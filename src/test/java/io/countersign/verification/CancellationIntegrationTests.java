package io.countersign.verification;

import static org.assertj.core.api.Assertions.assertThat;

import io.countersign.support.IntegrationTest;
import io.countersign.support.ServiceClient;
import io.countersign.support.ServiceClient.Answer;
import io.countersign.support.Work;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.JdbcTemplate;

import tools.jackson.databind.json.JsonMapper;

import java.util.UUID;

/**
 * A cancellation whose interrupt comes too late: the mark is in the database before the run
 * concludes, as another process leaves it, and nothing told the worker.
 */
@IntegrationTest
class CancellationIntegrationTests {
    private static final String CHECK = "check: fileExists path=a.txt";
    private static final String CRITERIA = "criteria: It works.";

    @Autowired ServiceClient client;
    @Autowired JdbcTemplate jdbc;
    @Autowired JsonMapper json;
    @Autowired Runs runs;
    @Autowired VerificationStore store;
    @Autowired VerificationJob checks;
    @Autowired GradingJob grading;

    private final String project = "test/" + UUID.randomUUID();

    /** The ways in which a run can come to its end. */
    enum Ending {
        CHECKS_PASS(CHECK),
        NOTHING_RUNS("check: noSuchCheck"),
        HANDS_OVER(CRITERIA),
        GRADED(CRITERIA),
        SERVICE_BREAKS(CHECK);

        final String dod;

        Ending(String dod) {
            this.dod = dod;
        }
    }

    @ParameterizedTest
    @EnumSource
    void aCancelledVerificationComesToNothingElse(Ending ending) {
        VerificationId id = unconcluded(ending.dod);
        if (ending == Ending.GRADED) handOver(id);

        runs.run(
                id,
                context -> {
                    // What runs until now sees no mark; what concludes must.
                    store.cancel(id, "another process");
                    switch (ending) {
                        case CHECKS_PASS, NOTHING_RUNS, HANDS_OVER -> checks.run(context);
                        case GRADED -> grading.run(context);
                        case SERVICE_BREAKS -> throw new IllegalStateException("a fault");
                    }
                });

        Answer answer = client.get("/v1/verifications/" + id);
        assertThat(answer.at("/status").asString()).isEqualTo("cancelled");
        assertThat(answer.at("/verdict/cause").asString()).isEqualTo("cancelled");
        assertThat(answer.at("/verdict/reasons/0").asString())
                .isEqualTo("cancelled by another process");
        assertThat(answer.at("/receipt").isNull()).isTrue();
        assertThat(answer.at("/attestation").isNull()).isTrue();
        assertThat(client.get("/v1/verifications/" + id + "/events").text())
                .containsOnlyOnce("event:verdict")
                .contains("event:status");
        assertThat(
                        jdbc.queryForObject(
                                "SELECT count(*) FROM scheduled_tasks WHERE task_instance = ?",
                                Integer.class,
                                id.toString()))
                .isZero();
    }

    @Test
    void aVerdictStaysWhenItIsCancelledAfterwards() {
        VerificationId id = unconcluded(CHECK);
        runs.run(id, checks::run);
        assertThat(store.cancel(id, "another process")).isFalse();
        assertThat(client.get("/v1/verifications/" + id).at("/accepted").asBoolean()).isTrue();
    }

    /** A verification that no task runs, as a run of its own would find it. */
    private VerificationId unconcluded(String dod) {
        Answer template =
                client.with("Prefer", "wait=60")
                        .post("/v1/verifications", Work.added(project, dod, "x"));
        UUID id = UUID.randomUUID();
        jdbc.update(
                "INSERT INTO verification (id, project, status, mode, wiring, requested_by, input,"
                        + " policy, policy_sha256, dod, queued_at)"
                        + " SELECT ?, project, 'queued', mode, wiring, requested_by, input, policy,"
                        + " policy_sha256, dod, queued_at FROM verification WHERE id = ?",
                id,
                UUID.fromString(template.at("/id").asString()));
        return new VerificationId(id);
    }

    /** Does what the checks lane does, without a task that grades. */
    private void handOver(VerificationId id) {
        runs.run(
                id,
                context -> {
                    try (VerificationJob.Prepared prepared = checks.prepare(context)) {
                        assertThat(prepared).isNotNull();
                        Stage stage = new Stage(0, Stage.frozen(prepared.files()));
                        store.handOver(
                                id, context.claim().run(), json.writeValueAsString(stage), null);
                    }
                });
        assertThat(store.find(id).orElseThrow().graded()).isTrue();
    }
}
