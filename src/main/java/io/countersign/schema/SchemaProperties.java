package io.countersign.schema;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What a start does about the database's schema.
 *
 * @param atStart {@code migrate} brings an older schema up to date; {@code verify} refuses to start
 *     on one, for deployments that migrate with the {@code migrate} command. A schema that is newer
 *     than the code is refused by both
 */
@ConfigurationProperties("countersign.schema")
record SchemaProperties(@DefaultValue("migrate") AtStart atStart) {
    enum AtStart {
        MIGRATE,
        VERIFY
    }
}
