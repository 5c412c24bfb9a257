package io.countersign.schema;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.context.annotation.Import;
import org.springframework.util.StringUtils;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The command {@code migrate}: brings the schema up to date and ends. It needs the database's
 * settings and nothing else, no key and no sandbox.
 */
public final class Migration {
    private static final String COMMAND = "migrate";

    private Migration() {}

    /** Whether the command line asks for it. */
    public static boolean isAsked(String[] args) {
        return Arrays.asList(args).contains(COMMAND);
    }

    /**
     * Migrates. Returns when the schema is up to date.
     *
     * @throws RuntimeException when it is not; what is wrong was logged
     */
    public static void run(String[] args) {
        List<String> all = new ArrayList<>(List.of(args));
        all.add("--countersign.schema.at-start=migrate");
        SpringApplication application = new SpringApplication(Context.class);
        application.setWebApplicationType(WebApplicationType.NONE);
        application.addInitializers(
                context -> {
                    String url = context.getEnvironment().getProperty("spring.datasource.url");
                    if (!StringUtils.hasText(url)) {
                        throw new SchemaException(
                                "migrate needs a database, and spring.datasource.url is not set",
                                "Set spring.datasource.url, .username and .password. Local mode"
                                        + " migrates its own database when it starts.");
                    }
                });
        application.run(all.toArray(String[]::new)).close();
    }

    // Not annotated as a configuration: the service's own scan must not find it.
    @ImportAutoConfiguration({DataSourceAutoConfiguration.class, FlywayAutoConfiguration.class})
    @EnableConfigurationProperties(SchemaProperties.class)
    @Import(Schema.class)
    static class Context {}
}
