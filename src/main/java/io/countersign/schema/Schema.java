package io.countersign.schema;

import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.core.api.MigrationState;
import org.springframework.boot.flyway.autoconfigure.FlywayMigrationStrategy;
import org.springframework.stereotype.Component;

import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;

/** Runs before anything else uses the database. */
@Component
class Schema implements FlywayMigrationStrategy {
    private static final Set<MigrationState> NEWER =
            Set.of(MigrationState.FUTURE_SUCCESS, MigrationState.FUTURE_FAILED);

    private final SchemaProperties properties;

    Schema(SchemaProperties properties) {
        this.properties = properties;
    }

    /**
     * @throws SchemaException when the schema is newer than the code or, unless the start migrates,
     *     older
     */
    @Override
    public void migrate(Flyway flyway) {
        refuseNewer(flyway);
        switch (properties.atStart()) {
            case MIGRATE -> flyway.migrate();
            case VERIFY -> {
                refuseOlder(flyway);
                flyway.validate();
            }
        }
    }

    private static void refuseNewer(Flyway flyway) {
        String newer =
                versions(
                        Arrays.stream(flyway.info().all())
                                .filter(one -> NEWER.contains(one.getState()))
                                .toArray(MigrationInfo[]::new));
        if (!newer.isEmpty()) {
            throw new SchemaException(
                    "The database's schema is newer than this version of Countersign, which does"
                            + " not know the migrations "
                            + newer,
                    "Run the version that made it, or one that came after it. To go back to an older"
                            + " version, restore a backup from before the upgrade.");
        }
    }

    private static void refuseOlder(Flyway flyway) {
        String missing = versions(flyway.info().pending());
        if (!missing.isEmpty()) {
            throw new SchemaException(
                    "The database's schema is older than this version of Countersign: the migrations "
                            + missing
                            + " were not applied",
                    "Run this version once with the argument `migrate`, or let the start do it:"
                            + " countersign.schema.at-start=migrate.");
        }
    }

    private static String versions(MigrationInfo[] migrations) {
        return Arrays.stream(migrations)
                .map(migration -> String.valueOf(migration.getVersion()))
                .collect(Collectors.joining(", "));
    }
}
