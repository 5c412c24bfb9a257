package io.countersign.receipt;

import static org.assertj.core.api.Assertions.assertThat;

import io.countersign.artefact.WorkspacePath;
import io.countersign.gate.Assurance;
import io.countersign.kernel.ProblemCode;
import io.countersign.kernel.ProblemException;
import io.countersign.kernel.ProjectId;
import io.countersign.kernel.Sha256;
import io.countersign.receipt.ReceiptRow.Consumption;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;

/** Every refusal of a receipt, with the facts that explain it. */
class RefusalsTests {
    private static final Instant ISSUED = Instant.parse("2026-07-31T12:00:00Z");
    private static final Instant NOW = ISSUED.plusSeconds(60);
    private static final Sha256 CHANGE_SET = Sha256.of("changes");
    private static final Sha256 TREE = Sha256.of("tree");
    private static final Sha256 DOD = Sha256.of("dod");
    private static final Sha256 OTHER = Sha256.of("other");
    private static final Demand DEMAND = Demand.of(CHANGE_SET, Assurance.SELF);

    @Test
    void aFreshReceiptForTheSameThingsIsNotRefused() {
        Demand everything = new Demand(CHANGE_SET, null, TREE, DOD, Assurance.BASELINE, ISSUED);

        assertThat(Refusals.first(row(null), everything, NOW)).isEmpty();
    }

    @Test
    void aConsumedOneSaysWhoAndWhenAndForWhat() {
        ReceiptRow row = row(new Consumption(NOW, "ci-bot", "merge PR 12"));

        ProblemException refusal =
                refused(row, Demand.of(OTHER, Assurance.SELF), NOW.plusSeconds(99_999));

        assertThat(refusal.code()).isEqualTo(ProblemCode.RECEIPT_REPLAYED);
        assertThat(refusal.facts())
                .containsEntry("consumedBy", "ci-bot")
                .containsEntry("consumedAt", NOW)
                .containsEntry("consumedFor", "merge PR 12")
                .containsEntry("exitCode", 6);
    }

    @Test
    void anOldOneIsStaleFromTheEndOfItsWindow() {
        Instant end = ISSUED.plusSeconds(3_600);

        assertThat(Refusals.first(row(null), DEMAND, end.minusNanos(1_000))).isEmpty();
        assertThat(refused(row(null), DEMAND, end).code()).isEqualTo(ProblemCode.RECEIPT_STALE);
        assertThat(refused(row(null), DEMAND, end).facts()).containsEntry("expiresAt", end);
    }

    @Test
    void thirtySecondsOfClockDifferenceAreForgiven() {
        assertThat(Refusals.first(row(null), DEMAND, ISSUED.minusSeconds(30))).isEmpty();
        assertThat(refused(row(null), DEMAND, ISSUED.minusSeconds(31)).code())
                .isEqualTo(ProblemCode.RECEIPT_NOT_YET_VALID);
    }

    @Test
    void anotherChangeSetIsNamedByItsHash() {
        ProblemException refusal = refused(row(null), Demand.of(OTHER, Assurance.SELF), NOW);

        assertThat(refusal.code()).isEqualTo(ProblemCode.CHANGE_SET_MISMATCH);
        assertThat(refusal.facts())
                .containsEntry("receipt", CHANGE_SET.hex())
                .containsEntry("demanded", OTHER.hex())
                .doesNotContainKey("paths");
    }

    @Test
    void anotherChangeSetIsNamedByThePathsThatDiffer() {
        NavigableMap<WorkspacePath, Optional<Sha256>> files = new TreeMap<>();
        files.put(new WorkspacePath("same"), Optional.of(DOD));
        files.put(new WorkspacePath("gone"), Optional.empty());
        files.put(new WorkspacePath("edited"), Optional.of(OTHER));
        files.put(new WorkspacePath("added"), Optional.of(OTHER));

        ProblemException refusal =
                refused(row(null), new Demand(OTHER, files, null, null, null, null), NOW);

        assertThat(refusal.facts().get("paths"))
                .isEqualTo(
                        List.of(
                                Map.of("path", "edited", "why", "content differs"),
                                Map.of("path", "left-out", "why", "not in the change-set sent"),
                                Map.of("path", "added", "why", "was not verified")));
    }

    @Test
    void anotherTreeOrDodIsNamed() {
        assertThat(refused(row(null), demand(OTHER, null, null, null), NOW).code())
                .isEqualTo(ProblemCode.TREE_MISMATCH);
        ProblemException dod = refused(row(null), demand(null, OTHER, null, null), NOW);
        assertThat(dod.code()).isEqualTo(ProblemCode.DOD_MISMATCH);
        assertThat(dod.facts()).containsEntry("receipt", DOD.hex());
    }

    @Test
    void aReceiptWithoutTreeAndDodMeetsNoDemandForThem() {
        ReceiptRow row = row(null, null, null, Assurance.INDEPENDENT, Assurance.SELF);

        assertThat(refused(row, demand(TREE, null, null, null), NOW).code())
                .isEqualTo(ProblemCode.TREE_MISMATCH);
        assertThat(refused(row, demand(null, DOD, null, null), NOW).facts())
                .containsEntry("receipt", "none");
    }

    @Test
    void aFileThatChangedAfterwardsIsRefused() {
        assertThat(
                        refused(row(null), demand(null, null, null, ISSUED.plusNanos(1_000)), NOW)
                                .code())
                .isEqualTo(ProblemCode.RECEIPT_PREDATES_CHANGE);
    }

    @Test
    void theAssuranceMustReachThePolicyAndTheRequest() {
        ReceiptRow self = row(null, TREE, DOD, Assurance.SELF, Assurance.BASELINE);
        ReceiptRow open = row(null, TREE, DOD, Assurance.SELF, Assurance.SELF);
        ReceiptRow baseline = row(null, TREE, DOD, Assurance.BASELINE, Assurance.BASELINE);

        assertThat(refused(self, DEMAND, NOW).facts()).containsEntry("demanded", "baseline");
        assertThat(refused(self, demand(null, null, Assurance.SELF, null), NOW).code())
                .as("a request cannot ask for less")
                .isEqualTo(ProblemCode.ASSURANCE_TOO_LOW);
        assertThat(Refusals.first(open, DEMAND, NOW)).isEmpty();
        assertThat(refused(baseline, demand(null, null, Assurance.INDEPENDENT, null), NOW).facts())
                .containsEntry("assurance", "baseline")
                .containsEntry("demanded", "independent");
    }

    private static ProblemException refused(ReceiptRow row, Demand demand, Instant now) {
        return Refusals.first(row, demand, now).orElseThrow();
    }

    private static Demand demand(
            @Nullable Sha256 tree,
            @Nullable Sha256 dod,
            @Nullable Assurance assurance,
            @Nullable Instant newest) {
        return new Demand(CHANGE_SET, null, tree, dod, assurance, newest);
    }

    private static ReceiptRow row(@Nullable Consumption consumed) {
        return row(consumed, TREE, DOD, Assurance.BASELINE, Assurance.BASELINE);
    }

    private static ReceiptRow row(
            @Nullable Consumption consumed,
            @Nullable Sha256 tree,
            @Nullable Sha256 dod,
            Assurance assurance,
            Assurance minAssurance) {
        String files =
                "{\"edited\":\"%s\",\"gone\":null,\"left-out\":\"%s\",\"same\":\"%s\"}"
                        .formatted(DOD, DOD, DOD);
        return new ReceiptRow(
                new UUID(1, 2),
                new ProjectId("p"),
                new UUID(3, 4),
                null,
                null,
                "nonce",
                CHANGE_SET,
                tree,
                dod,
                assurance,
                minAssurance,
                ISSUED,
                ISSUED.plusSeconds(3_600),
                "{}",
                "key",
                new byte[64],
                files,
                consumed);
    }
}
