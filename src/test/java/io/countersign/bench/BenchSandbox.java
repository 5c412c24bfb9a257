package io.countersign.bench;

import io.countersign.check.sandbox.Sandbox;
import io.countersign.check.sandbox.SandboxProperties;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.ComponentScan;
import org.springframework.context.annotation.Configuration;

/** The sandbox as the service configures it, without the service. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(SandboxProperties.class)
@ComponentScan("io.countersign.check.sandbox")
class BenchSandbox {
    static Sandbox create() {
        return new SpringApplicationBuilder(BenchSandbox.class)
                .web(WebApplicationType.NONE)
                .properties(
                        "countersign.local.active=true",
                        "spring.main.banner-mode=off",
                        "logging.level.root=warn")
                .run()
                .getBean(Sandbox.class);
    }
}
