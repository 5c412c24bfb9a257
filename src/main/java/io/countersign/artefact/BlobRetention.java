package io.countersign.artefact;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

import java.time.Duration;

/**
 * How long uploads are kept.
 *
 * @param blobs after their last use; a queued or running verification keeps its own for longer
 */
@ConfigurationProperties("countersign.retention")
record BlobRetention(@DefaultValue("7d") Duration blobs) {
    BlobRetention {
        if (!blobs.isPositive()) {
            throw new IllegalArgumentException("countersign.retention.blobs must be positive");
        }
    }
}
