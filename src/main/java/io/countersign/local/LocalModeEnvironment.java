package io.countersign.local;

import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.core.Ordered;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.util.StringUtils;

import java.util.Map;

/**
 * Decides the mode before any bean exists: {@code countersign.local.active} is true exactly when no
 * {@code spring.datasource.url} is set. Its values are the weakest, so that anything set wins.
 */
final class LocalModeEnvironment implements EnvironmentPostProcessor, Ordered {
    static final String DATABASE_URL = "spring.datasource.url";

    @Override
    public void postProcessEnvironment(
            ConfigurableEnvironment environment, SpringApplication application) {
        boolean local = !StringUtils.hasText(environment.getProperty(DATABASE_URL));
        Map<String, Object> defaults =
                local
                        ? Map.of("countersign.local.active", true, "server.address", "127.0.0.1")
                        : Map.of("countersign.local.active", false);
        environment
                .getPropertySources()
                .addLast(new MapPropertySource("countersignMode", defaults));
    }

    @Override
    public int getOrder() {
        // After the configuration files were read.
        return Ordered.LOWEST_PRECEDENCE;
    }
}
