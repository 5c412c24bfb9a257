package io.countersign.attestation;

import io.countersign.artefact.ChangeSet;
import io.countersign.check.CheckResult;
import io.countersign.check.TestCounts;
import io.countersign.verification.VerificationConcluded;

import org.springframework.context.event.EventListener;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;

import java.util.List;
import java.util.stream.Stream;

/** Attests each verdict in the transaction that stores it. First of the listeners. */
@Component
class AttestationListener {
    /** Before receipts, which name their attestation. */
    static final int ORDER = 1;

    private static final String DOD = "urn:countersign:dod";

    private final Attestations attestations;

    AttestationListener(Attestations attestations) {
        this.attestations = attestations;
    }

    @EventListener
    @Order(ORDER)
    void on(VerificationConcluded concluded) {
        if (!concluded.verdict().skipped()
                && concluded.changeSet() instanceof ChangeSet.Known known) {
            attestations.attest(summary(concluded, known));
        }
    }

    private static Summary summary(VerificationConcluded concluded, ChangeSet.Known known) {
        return new Summary(
                concluded.project(),
                new Summary.Origin.Verification(concluded.id()),
                new Summary.Policy(DOD, concluded.dodSha256()),
                known,
                concluded.treeSha256(),
                concluded.verdict().assurance(),
                concluded.verdict().pass(),
                false,
                tests(concluded.checks()),
                concluded.at());
    }

    private static List<Summary.TestRun> tests(List<CheckResult> checks) {
        return checks.stream().flatMap(AttestationListener::test).toList();
    }

    private static Stream<Summary.TestRun> test(CheckResult check) {
        TestCounts counts = check.tests();
        if (counts == null) {
            return Stream.empty();
        }
        String name =
                check.index()
                        + " "
                        + check.kind()
                        + (check.command() == null ? "" : ": " + check.command());
        return Stream.of(
                new Summary.TestRun(
                        name, check.passed(), counts.run(), counts.failed(), counts.skipped()));
    }
}
