package io.countersign.access;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * How callers are known.
 *
 * @param bootstrapKey the administrator's first key, of at least 32 characters; needed in server
 *     mode until an administrator with a usable key exists, then ignored
 */
@ConfigurationProperties("countersign.access")
record AccessProperties(@Nullable String bootstrapKey) {
    private static final int SHORTEST = 32;

    AccessProperties {
        if (bootstrapKey != null && bootstrapKey.isBlank()) {
            bootstrapKey = null;
        }
        if (bootstrapKey != null && bootstrapKey.length() < SHORTEST) {
            throw new IllegalArgumentException(
                    "countersign.access.bootstrap-key must have at least 32 characters");
        }
    }
}
