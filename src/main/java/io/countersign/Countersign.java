package io.countersign;

import io.countersign.schema.Migration;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;

/** The service: one process that is an API, a worker, or both ({@code countersign.roles}). */
@SpringBootApplication
@ConfigurationPropertiesScan
public class Countersign {
    /** With the argument {@code migrate} it brings the database's schema up to date and ends. */
    public static void main(String[] args) {
        if (Migration.isAsked(args)) {
            Migration.run(args);
        } else {
            SpringApplication.run(Countersign.class, args);
        }
    }
}
