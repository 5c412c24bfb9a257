package io.countersign.local;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

import java.nio.file.Path;

/**
 * Settings of local mode.
 *
 * @param active whether local mode is on. The service sets it: true exactly when {@code
 *     spring.datasource.url} is not set
 * @param dataDir where the embedded PostgreSQL keeps its data, its password and its log; relative
 *     to the working directory
 * @param port the port of the embedded PostgreSQL on 127.0.0.1; 0 picks a free one at the first
 *     start and keeps it
 */
@ConfigurationProperties("countersign.local")
record LocalProperties(
        @DefaultValue("false") boolean active,
        @DefaultValue(".countersign") Path dataDir,
        @DefaultValue("0") int port) {
    LocalProperties {
        if (port < 0 || port > 65_535) {
            throw new IllegalArgumentException("countersign.local.port is 0 to 65535, not " + port);
        }
        dataDir = dataDir.toAbsolutePath().normalize();
    }
}
