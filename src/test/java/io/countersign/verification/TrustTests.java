package io.countersign.verification;

import static org.assertj.core.api.Assertions.assertThat;

import io.countersign.gate.Assurance;
import io.countersign.kernel.Caller;
import io.countersign.kernel.PrincipalKind;
import io.countersign.kernel.Role;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.Set;

class TrustTests {
    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            textBlock =
                    """
                    ORCHESTRATOR, ses_1, -, INDEPENDENT
                    CI, ses_1, agent:builder, INDEPENDENT
                    HUMAN, ses_1, -, INDEPENDENT
                    SERVICE, ses_1, -, INDEPENDENT
                    AGENT, ses_1, -, SELF
                    ORCHESTRATOR, -, -, SELF
                    ORCHESTRATOR, ' ', -, SELF
                    ORCHESTRATOR, caller, -, SELF
                    ORCHESTRATOR, Caller, -, SELF
                    ORCHESTRATOR, ses_1, caller, SELF
                    """)
    void knowsWhetherTheExamWasWrittenByAnotherParty(
            PrincipalKind kind, @Nullable String id, @Nullable String drafter, Assurance author) {
        Producer producer = new Producer(id, drafter, null, null, null);
        assertThat(Trust.author(caller(kind, Role.REQUESTER), producer)).isEqualTo(author);
    }

    @Test
    void aSubmitterIsNoAuthorWhateverItsKind() {
        Producer producer = new Producer("ses_1", null, null, null, null);
        assertThat(Trust.author(caller(PrincipalKind.CI, Role.SUBMITTER), producer))
                .isEqualTo(Assurance.SELF);
    }

    @Test
    void believesAnAgentsRegistrationAndNotItsBody() {
        Producer lie = new Producer("ses_1", null, "fast", "acme/tiny", null);
        assertThat(Trust.believed(caller(PrincipalKind.AGENT, Role.SUBMITTER), lie))
                .isEqualTo(new Producer("ses_1", null, "heavy", "acme/large", null));
        assertThat(Trust.believed(caller(PrincipalKind.CI, Role.SUBMITTER), lie)).isEqualTo(lie);
    }

    private static Caller caller(PrincipalKind kind, Role role) {
        return new Caller(
                "caller", kind, Set.of(role), Set.of(), Set.of("*"), "heavy", "acme/large", null);
    }
}
