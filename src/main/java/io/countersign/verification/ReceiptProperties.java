package io.countersign.verification;

import io.countersign.gate.Assurance;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

import java.time.Duration;

/**
 * What receipts are worth; a project's {@code receipts} member overrides it.
 *
 * @param window how long a receipt is fresh
 * @param minAssurance the least assurance that a consumption demands
 */
@ConfigurationProperties("countersign.receipts")
record ReceiptProperties(
        @DefaultValue("1h") Duration window, @DefaultValue("baseline") Assurance minAssurance) {
    ReceiptProperties {
        if (!window.isPositive()) {
            throw new IllegalArgumentException("countersign.receipts.window must be positive");
        }
    }
}
