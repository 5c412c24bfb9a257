package io.countersign.audit;

import io.countersign.kernel.Sha256;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.scheduling.annotation.SchedulingConfigurer;
import org.springframework.scheduling.config.ScheduledTaskRegistrar;
import org.springframework.stereotype.Component;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Seals what was recorded since the last time. Every replica tries; an advisory lock lets one of
 * them. A row belongs to the batch in which it was first seen, so it does not matter in which order
 * transactions commit.
 */
@Component
class AuditSealer implements SchedulingConfigurer {
    private static final Logger log = LoggerFactory.getLogger(AuditSealer.class);
    private static final int MOST_ROWS = 5_000;

    private final AuditStore events;
    private final HeadStore heads;
    private final @Nullable HeadSigner signer;
    private final TransactionTemplate transaction;
    private final InstantSource clock;
    private final AuditProperties properties;

    AuditSealer(
            AuditStore events,
            HeadStore heads,
            Optional<HeadSigner> signer,
            PlatformTransactionManager transactions,
            InstantSource clock,
            AuditProperties properties) {
        this.events = events;
        this.heads = heads;
        this.signer = signer.orElse(null);
        this.transaction = new TransactionTemplate(transactions);
        this.clock = clock;
        this.properties = properties;
    }

    @Override
    public void configureTasks(ScheduledTaskRegistrar tasks) {
        tasks.addFixedDelayTask(this::seal, properties.sealEvery());
    }

    /** Seals all there is, in as many transactions as that takes. */
    void seal() {
        Integer sealed;
        do {
            sealed = transaction.execute(status -> sealSome());
        } while (sealed != null && sealed == MOST_ROWS);
    }

    private int sealSome() {
        if (!heads.lock()) {
            return 0;
        }
        List<AuditStore.Unsealed> rows = events.unsealed(MOST_ROWS);
        Map<String, List<AuditStore.Unsealed>> byProject =
                rows.stream()
                        .collect(
                                Collectors.groupingBy(
                                        AuditStore.Unsealed::project,
                                        LinkedHashMap::new,
                                        Collectors.toList()));
        byProject.forEach(this::seal);
        return rows.size();
    }

    private void seal(String project, List<AuditStore.Unsealed> rows) {
        HeadStore.Stored last = heads.last().orElse(null);
        HeadStore.Stored before = heads.last(project).orElse(null);
        AuditHead head =
                new AuditHead(
                        last == null ? 1 : last.head().serial() + 1,
                        project,
                        before == null ? 1 : before.head().number() + 1,
                        rows.size(),
                        AuditHead.rowsDigest(
                                rows.stream().map(AuditStore.Unsealed::sha256).toList()),
                        before == null ? AuditHead.GENESIS : before.sha256(),
                        last == null ? AuditHead.GENESIS : last.sha256(),
                        clock.instant(),
                        null);
        AuditHead sealed = signer == null ? head : head.signedBy(signer);
        heads.insert(sealed);
        events.seal(rows.stream().map(AuditStore.Unsealed::id).toList(), sealed.number());
        Sha256 digest = sealed.digest();
        // The log is the anchor outside the database: a chain cut off at its end lacks this head.
        log.info(
                "audit head {} of {}: serial {}, {} events, sha256 {}",
                sealed.number(),
                project,
                sealed.serial(),
                sealed.events(),
                digest);
    }
}
