package io.countersign.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.countersign.Countersign;
import io.countersign.support.TestPostgres;

import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.jdbc.core.JdbcTemplate;

@ExtendWith(OutputCaptureExtension.class)
class SchemaIntegrationTests {
    private final TestPostgres.Database database = TestPostgres.freshDatabase();
    private final JdbcTemplate jdbc = new JdbcTemplate(database.dataSource());

    private void migrate() {
        Countersign.main(
                new String[] {
                    "migrate",
                    "--spring.datasource.url=" + database.url(),
                    "--spring.datasource.username=" + database.user(),
                    "--spring.datasource.password=" + database.password()
                });
    }

    private void start(SchemaProperties.AtStart atStart) {
        Flyway flyway = Flyway.configure().dataSource(database.dataSource()).load();
        new Schema(new SchemaProperties(atStart)).migrate(flyway);
    }

    private void record(String version) {
        jdbc.update(
                "INSERT INTO flyway_schema_history (installed_rank, version, description, type,"
                        + " script, checksum, installed_by, execution_time, success)"
                        + " VALUES (1000, ?, 'later', 'SQL', 'V__later.sql', 1, 'test', 1, true)",
                version);
    }

    @Test
    void theCommandMigratesAndEnds() {
        migrate();
        assertThat(jdbc.queryForObject("SELECT count(*) FROM verification", Long.class)).isZero();
        start(SchemaProperties.AtStart.VERIFY);
        migrate();
    }

    @Test
    void theCommandNeedsADatabaseOfItsOwn(CapturedOutput output) {
        assertThatThrownBy(() -> Countersign.main(new String[] {"migrate"}))
                .isInstanceOf(RuntimeException.class);
        assertThat(output.getAll()).contains("spring.datasource.url is not set");
    }

    @Test
    void aStartThatOnlyVerifiesRefusesAnEmptyDatabase() {
        assertThatThrownBy(() -> start(SchemaProperties.AtStart.VERIFY))
                .isInstanceOf(SchemaException.class)
                .hasMessageContaining("older than this version")
                .hasMessageContaining("10, ");
        assertThat(jdbc.queryForObject("SELECT to_regclass('verification') IS NULL", Boolean.class))
                .isTrue();
    }

    @Test
    void theServiceItselfDoesNotStartOnASchemaThatIsNotItsOwn(CapturedOutput output) {
        String[] arguments = {
            "--spring.datasource.url=" + database.url(),
            "--spring.datasource.username=" + database.user(),
            "--spring.datasource.password=" + database.password(),
            "--server.port=0",
            "--countersign.schema.at-start=verify",
            "--countersign.signing.kek=QmFja3VwLWFuZC1yZXN0b3JlLWtleS0wMTIzNDU2Nzg=",
            "--countersign.access.bootstrap-key=cs_for-a-start-that-is-refused-0123456789"
        };
        assertThatThrownBy(() -> Countersign.main(arguments)).isInstanceOf(RuntimeException.class);
        assertThat(output.getAll())
                .contains("schema is older than this version of Countersign", "`migrate`");
        assertThat(jdbc.queryForObject("SELECT to_regclass('verification') IS NULL", Boolean.class))
                .isTrue();
    }

    @Test
    void aStartThatOnlyVerifiesRefusesAnOlderSchema() {
        migrate();
        String newest =
                jdbc.queryForObject(
                        "DELETE FROM flyway_schema_history WHERE installed_rank ="
                                + " (SELECT max(installed_rank) FROM flyway_schema_history)"
                                + " RETURNING version",
                        String.class);
        assertThatThrownBy(() -> start(SchemaProperties.AtStart.VERIFY))
                .isInstanceOf(SchemaException.class)
                .hasMessageContaining("older than this version")
                .hasMessageContaining("the migrations " + newest + " were not applied");
    }

    @ParameterizedTest
    @EnumSource(SchemaProperties.AtStart.class)
    void noStartAcceptsANewerSchema(SchemaProperties.AtStart atStart) {
        migrate();
        record("99999");
        assertThatThrownBy(() -> start(atStart))
                .isInstanceOf(SchemaException.class)
                .hasMessageContaining("newer than this version")
                .hasMessageContaining("99999");
    }

    @Test
    void theCommandRefusesANewerSchemaAndSaysWhatToDo(CapturedOutput output) {
        migrate();
        record("99999");
        assertThatThrownBy(this::migrate).isInstanceOf(RuntimeException.class);
        assertThat(output.getAll()).contains("newer than this version", "restore a backup");
    }

    @Test
    void aChangedMigrationIsRefused() {
        migrate();
        jdbc.update("UPDATE flyway_schema_history SET checksum = 1 WHERE version = '40'");
        assertThatThrownBy(() -> start(SchemaProperties.AtStart.VERIFY))
                .hasMessageContaining("checksum mismatch");
    }
}
