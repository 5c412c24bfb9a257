package io.countersign.audit;

import io.countersign.kernel.Sha256;

import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Isolation;
import org.springframework.transaction.annotation.Transactional;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Recomputes the audit chains and says what does not fit. */
@Component
class AuditVerifier {
    private static final int HEADS_AT_ONCE = 500;
    private static final int UNSEALED_AT_MOST = 10_000;
    private static final int FAULTS_AT_MOST = 100;

    private final AuditStore events;
    private final HeadStore heads;
    private final @Nullable HeadSigner signer;

    AuditVerifier(AuditStore events, HeadStore heads, Optional<HeadSigner> signer) {
        this.events = events;
        this.heads = heads;
        this.signer = signer.orElse(null);
    }

    /** What is wrong with a chain. */
    enum FaultKind {
        /** A row is not what was written. */
        EVENT_EDITED,
        /** A batch has other rows than it sealed. */
        EVENTS_MISSING_OR_ADDED,
        /** A head is not what was sealed. */
        HEAD_EDITED,
        /** A head is gone from the project's chain, or another one stands there. */
        HEAD_MISSING,
        /** A head is gone from the chain through all projects. */
        SERIAL_MISSING,
        /**
         * A signature does not fit its head, nobody knows its key, or a head has none although this
         * service signs each: whoever writes to the database could take it away with its edit.
         */
        SIGNATURE_INVALID,
        /** The head that the caller noted earlier is in no chain. */
        NOTED_HEAD_MISSING
    }

    /** One fault; {@code batch} and {@code eventId} where it is about one. */
    record Fault(
            FaultKind kind,
            @Nullable String project,
            @Nullable Long batch,
            @Nullable UUID eventId,
            String detail) {}

    /** The newest head of a project, for the caller to note and to ask for later. */
    record Newest(long number, long serial, Sha256 sha256, Instant sealedAt, boolean signed) {}

    /** What was found for one project; every unsigned batch is a fault where heads are signed. */
    record Chain(
            String project,
            long batches,
            long events,
            long unsignedBatches,
            int unsealed,
            @Nullable Newest head) {}

    /** The whole finding; {@code faults} holds the first hundred. */
    record Finding(boolean intact, List<Chain> chains, List<Fault> faults) {}

    /**
     * Verifies one project, or all.
     *
     * @param noted a head that an earlier answer or the log gave; it must still be there
     */
    @Transactional(readOnly = true, isolation = Isolation.REPEATABLE_READ)
    public Finding verify(@Nullable String project, @Nullable Sha256 noted) {
        List<Fault> faults = new ArrayList<>();
        List<Chain> chains = new ArrayList<>();
        for (String each : project == null ? events.projects() : List.of(project)) {
            chains.add(new Walk(each, faults).walk());
        }
        for (Long serial : heads.brokenSerials()) {
            faults.add(
                    new Fault(
                            FaultKind.SERIAL_MISSING,
                            null,
                            null,
                            null,
                            "the head before serial " + serial + " is gone or another"));
        }
        if (noted != null && !heads.contains(noted)) {
            faults.add(
                    new Fault(
                            FaultKind.NOTED_HEAD_MISSING,
                            project,
                            null,
                            null,
                            "no chain has the head " + noted + ": its end was cut off"));
        }
        List<Fault> first = faults.subList(0, Math.min(faults.size(), FAULTS_AT_MOST));
        return new Finding(faults.isEmpty(), chains, List.copyOf(first));
    }

    /** One walk along a project's chain. */
    private final class Walk {
        private final String project;
        private final List<Fault> faults;
        private long batches;
        private long rows;
        private long unsigned;
        private HeadStore.@Nullable Stored last;

        Walk(String project, List<Fault> faults) {
            this.project = project;
            this.faults = faults;
        }

        Chain walk() {
            List<HeadStore.Stored> page = heads.after(project, 0, HEADS_AT_ONCE);
            while (!page.isEmpty()) {
                page.forEach(this::step);
                page = heads.after(project, page.getLast().head().number(), HEADS_AT_ONCE);
            }
            for (Long batch : events.headless(project)) {
                fault(FaultKind.HEAD_MISSING, batch, null, "rows name a batch that has no head");
            }
            List<AuditStore.Row> unsealed = events.unsealed(project, UNSEALED_AT_MOST);
            unsealed.forEach(row -> check(row, null));
            return new Chain(project, batches, rows, unsigned, unsealed.size(), newest());
        }

        private void step(HeadStore.Stored stored) {
            AuditHead head = stored.head();
            long expected = last == null ? 1 : last.head().number() + 1;
            Sha256 previous = last == null ? AuditHead.GENESIS : last.sha256();
            if (head.number() != expected || !head.previous().equals(previous)) {
                fault(
                        FaultKind.HEAD_MISSING,
                        head.number(),
                        null,
                        "does not follow on the head before");
            }
            if (!head.digest().equals(stored.sha256())) {
                fault(FaultKind.HEAD_EDITED, head.number(), null, "is not what was sealed");
            }
            checkSignature(head);
            checkRows(head);
            batches++;
            last = stored;
        }

        private void checkSignature(AuditHead head) {
            HeadSigner.Signature signature = head.signature();
            if (signature == null) {
                unsigned++;
                if (signer != null) {
                    fault(FaultKind.SIGNATURE_INVALID, head.number(), null, "is not signed");
                }
            } else if (signer == null || !signer.verify(head.statement(), signature)) {
                fault(
                        FaultKind.SIGNATURE_INVALID,
                        head.number(),
                        null,
                        "the signature by key " + signature.keyId() + " is not good");
            }
        }

        private void checkRows(AuditHead head) {
            List<AuditStore.Row> batch = events.batch(project, head.number());
            batch.forEach(row -> check(row, head.number()));
            rows += batch.size();
            Sha256 digest =
                    AuditHead.rowsDigest(batch.stream().map(AuditStore.Row::sha256).toList());
            if (batch.size() != head.events() || !digest.equals(head.rows())) {
                fault(
                        FaultKind.EVENTS_MISSING_OR_ADDED,
                        head.number(),
                        null,
                        "%d events were sealed, %d are there"
                                .formatted(head.events(), batch.size()));
            }
        }

        private void check(AuditStore.Row row, @Nullable Long batch) {
            if (!row.isIntact()) {
                fault(
                        FaultKind.EVENT_EDITED,
                        batch,
                        row.event().id(),
                        "the event is not what was written");
            }
        }

        private void fault(
                FaultKind kind, @Nullable Long batch, @Nullable UUID event, String detail) {
            faults.add(new Fault(kind, project, batch, event, detail));
        }

        private @Nullable Newest newest() {
            if (last == null) {
                return null;
            }
            AuditHead head = last.head();
            return new Newest(
                    head.number(),
                    head.serial(),
                    last.sha256(),
                    head.sealedAt(),
                    head.signature() != null);
        }
    }
}
