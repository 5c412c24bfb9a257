package io.countersign.kernel.web;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Bounds of what a request may carry.
 *
 * @param maxJson the largest JSON of a request, as the body or as a part; 8 MiB
 */
@ConfigurationProperties("countersign.http")
record HttpLimits(@DefaultValue("8MB") DataSize maxJson) {
    HttpLimits {
        if (maxJson.toBytes() < 1024) {
            throw new IllegalArgumentException("countersign.http.max-json must be at least 1KB");
        }
    }
}
