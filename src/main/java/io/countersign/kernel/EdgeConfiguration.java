package io.countersign.kernel;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.EnableScheduling;

import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.InstantSource;

/** The one place where time, ids and randomness enter; everything else is given them. */
@Configuration(proxyBeanMethods = false)
@EnableScheduling
class EdgeConfiguration {
    /** Ticks in microseconds, which is what Postgres keeps: a stored time reads back equal. */
    @Bean
    Clock clock() {
        return Clock.tick(Clock.systemUTC(), Duration.ofNanos(1_000));
    }

    @Bean
    SecureRandom secureRandom() {
        return new SecureRandom();
    }

    @Bean
    Ids ids(InstantSource clock, SecureRandom random) {
        return new UuidV7Ids(clock, random);
    }
}
