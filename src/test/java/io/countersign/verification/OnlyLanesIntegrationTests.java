package io.countersign.verification;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.kagkarlsson.scheduler.Scheduler;

import io.countersign.support.IntegrationTest;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;

@IntegrationTest
class OnlyLanesIntegrationTests {
    @Autowired ApplicationContext context;

    /** One on the base table knows no task, and deletes what it does not know after a fortnight. */
    @Test
    void noSchedulerBesideThoseOfTheLanes() {
        assertThat(context.getBeanNamesForType(Scheduler.class)).isEmpty();
    }
}
