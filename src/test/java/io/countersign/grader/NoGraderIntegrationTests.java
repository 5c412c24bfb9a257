package io.countersign.grader;

import static org.assertj.core.api.Assertions.assertThat;

import io.countersign.kernel.Cause;
import io.countersign.support.IntegrationTest;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

import java.time.Duration;

@IntegrationTest
class NoGraderIntegrationTests {
    @Autowired Grader grader;
    @Autowired GraderPolicies policies;

    @Test
    void startsWithoutAProviderAndFailsClosed() throws InterruptedException {
        Graded graded =
                grader.grade(
                        TestGrader.request(policies.effective(null, null), Duration.ofSeconds(5)));

        assertThat(graded.result().pass()).isFalse();
        assertThat(graded.result().cause()).isEqualTo(Cause.INFRASTRUCTURE);
        assertThat(graded.result().reasons()).containsExactly("no grader is configured");
        assertThat(graded.row().provider()).isNull();
    }
}
