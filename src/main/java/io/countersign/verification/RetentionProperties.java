package io.countersign.verification;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

import java.time.Duration;

/**
 * How long what is not a verdict is kept. Verdicts, attestations, receipts and audit events stay.
 *
 * @param output captured output of checks
 */
@ConfigurationProperties("countersign.retention")
record RetentionProperties(@DefaultValue("90d") Duration output) {
    RetentionProperties {
        if (!output.isPositive()) {
            throw new IllegalArgumentException("countersign.retention.output must be positive");
        }
    }
}
