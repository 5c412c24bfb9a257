package io.countersign.support;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;

@TestConfiguration(proxyBeanMethods = false)
class ServiceClientConfiguration {
    @Bean
    @Lazy // the port is known once the server listens
    ServiceClient serviceClient(@Value("${local.server.port}") int port) {
        return ServiceClient.at(port);
    }
}
