package io.countersign.attestation;

import io.countersign.artefact.ChangeSet;
import io.countersign.gate.Assurance;
import io.countersign.kernel.ProjectId;
import io.countersign.kernel.Sha256;
import io.countersign.verification.VerificationId;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

/**
 * A verdict that is to be attested.
 *
 * @param policy what it was judged by
 * @param passed whether the verdict passes
 * @param overridden whether it passes only because an administrator said so
 * @param treeSha256 hash of the whole verified workspace, if there was one
 * @param tests the checks that ran tests, in order; empty when none did
 */
public record Summary(
        ProjectId project,
        Origin origin,
        Policy policy,
        ChangeSet.Known changeSet,
        @Nullable Sha256 treeSha256,
        Assurance assurance,
        boolean passed,
        boolean overridden,
        List<TestRun> tests,
        Instant at) {
    public Summary {
        tests = List.copyOf(tests);
    }

    /** Whose verdict it is. */
    public sealed interface Origin {
        /** Of the gate. */
        record Verification(VerificationId id) implements Origin {}

        /** Of an external judge. */
        record Decision(UUID id) implements Origin {}

        /** The id as it stands in statements. */
        default UUID value() {
            return switch (this) {
                case Verification verification -> verification.id().value();
                case Decision decision -> decision.id();
            };
        }
    }

    /**
     * @param uri names the sort of policy
     * @param sha256 of the policy itself (the normalised DoD, the judge's verdict); null for none
     */
    public record Policy(String uri, @Nullable Sha256 sha256) {}

    /**
     * One check that ran tests.
     *
     * @param name what it ran, for people
     */
    public record TestRun(String name, boolean passed, int run, int failed, int skipped) {}
}
