package io.countersign.local;

import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.util.StringUtils;

/**
 * The database of local mode as a bean that the data source depends on: it is there before Flyway
 * asks, and stops after everything that uses it.
 */
@Configuration(proxyBeanMethods = false)
@Conditional(LocalDatabaseConfiguration.NoDatabaseIsNamed.class)
class LocalDatabaseConfiguration {
    static final class NoDatabaseIsNamed implements Condition {
        @Override
        public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
            return !StringUtils.hasText(
                    context.getEnvironment().getProperty(LocalModeEnvironment.DATABASE_URL));
        }
    }

    @Bean
    LocalPostgres localPostgres(LocalProperties properties) {
        return LocalPostgres.start(properties.dataDir(), properties.port());
    }

    @Bean
    JdbcConnectionDetails localConnectionDetails(LocalPostgres postgres) {
        return new JdbcConnectionDetails() {
            @Override
            public String getUsername() {
                return postgres.user();
            }

            @Override
            public String getPassword() {
                return postgres.password();
            }

            @Override
            public String getJdbcUrl() {
                return postgres.url();
            }
        };
    }
}
