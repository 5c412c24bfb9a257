package io.countersign.verification;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

import java.time.Duration;

/**
 * How callbacks are delivered.
 *
 * @param allowPrivate whether private and loopback addresses may be called
 * @param timeout of one attempt
 * @param giveUpAfter how long after the verdict delivery is tried
 */
@ConfigurationProperties("countersign.callbacks")
record CallbackProperties(
        @DefaultValue("false") boolean allowPrivate,
        @DefaultValue("10s") Duration timeout,
        @DefaultValue("24h") Duration giveUpAfter) {}
