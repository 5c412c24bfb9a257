package io.countersign.verification;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How much work may wait.
 *
 * @param max verifications that wait for a worker; more are answered with 429
 */
@ConfigurationProperties("countersign.queue")
record QueueProperties(@DefaultValue("10000") int max) {
    QueueProperties {
        if (max < 1) throw new IllegalArgumentException("countersign.queue.max is 1 or more");
    }
}
