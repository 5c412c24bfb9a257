package io.countersign.audit;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

import java.time.Duration;

/**
 * How the audit is sealed.
 *
 * @param sealEvery the pause between two sealings, 10 s; an edit of a row in that window does not
 *     show
 */
@ConfigurationProperties("countersign.audit")
record AuditProperties(@DefaultValue("10s") Duration sealEvery) {
    AuditProperties {
        if (!sealEvery.isPositive()) {
            throw new IllegalArgumentException("countersign.audit.seal-every must be positive");
        }
    }
}
