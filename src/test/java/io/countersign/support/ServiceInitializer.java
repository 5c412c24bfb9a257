package io.countersign.support;

import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/** Gives a context its own database and local mode's switches. */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class ServiceInitializer
        implements ApplicationContextInitializer<ConfigurableApplicationContext> {
    @Override
    public void initialize(ConfigurableApplicationContext context) {
        TestPostgres.Database database = TestPostgres.freshDatabase();
        TestPropertyValues.of(
                        "spring.datasource.url=" + database.url(),
                        "spring.datasource.username=" + database.user(),
                        "spring.datasource.password=" + database.password(),
                        "spring.datasource.hikari.maximum-pool-size=12",
                        "spring.datasource.hikari.minimum-idle=1",
                        "spring.datasource.hikari.connection-timeout=10000",
                        "server.address=127.0.0.1")
                .applyTo(context);
        // The product decides its mode before this runs, when no database is named yet.
        boolean server = context.getEnvironment().containsProperty("countersign.test.server-mode");
        TestPropertyValues.of("countersign.local.active=" + !server).applyTo(context);
    }
}
