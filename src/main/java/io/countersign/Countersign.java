package io.countersign;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;

/** The service: one process that is an API, a worker, or both ({@code countersign.roles}). */
@SpringBootApplication
@ConfigurationPropertiesScan
public class Countersign {
    public static void main(String[] args) {
        SpringApplication.run(Countersign.class, args);
    }
}
