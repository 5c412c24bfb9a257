package io.countersign.verification;

import io.countersign.artefact.DeclaredFile;
import io.countersign.artefact.WorkspaceInput;
import io.countersign.dod.Check;
import io.countersign.dod.Dod;
import io.countersign.dod.Hints;
import io.countersign.gate.Assurance;
import io.countersign.gate.Gate;
import io.countersign.gate.GateRequest;
import io.countersign.gate.Mode;
import io.countersign.gate.Wiring;
import io.countersign.kernel.ProjectId;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.net.URI;
import java.util.List;

/**
 * Work to be verified, with everything that the caller's credential decides already decided.
 *
 * @param acceptance the DoD's block; null when the field is absent
 * @param dispatch the requester's text; empty for none
 * @param author what the DoD's authorship is worth by itself: independent or self
 * @param changedFiles the producer's own list; null when it sent none
 * @param cwd relative to the workspace root; empty for the root
 * @param contract checks of a task contract, beside the DoD's own; empty for none
 * @param acceptNoChanges whether a change-set known to be empty is accepted without a gate
 * @param rerunOf the verification that this one repeats; null for none
 */
public record Submission(
        ProjectId project,
        Mode mode,
        Wiring wiring,
        @Nullable String acceptance,
        String dispatch,
        boolean trivial,
        Assurance author,
        Producer producer,
        String finalReturnText,
        @Nullable List<DeclaredFile> changedFiles,
        List<String> declaredOutputs,
        WorkspaceInput workspace,
        WorkspaceInput base,
        String cwd,
        Hints hints,
        @Nullable JsonNode runtimeEvidence,
        Limits limits,
        @Nullable URI callback,
        List<Check> contract,
        boolean acceptNoChanges,
        @Nullable VerificationId rerunOf) {
    public Submission {
        changedFiles = changedFiles == null ? null : List.copyOf(changedFiles);
        declaredOutputs = List.copyOf(declaredOutputs);
        contract = List.copyOf(contract);
        // Jackson reads an absent node as a null node.
        if (runtimeEvidence != null && runtimeEvidence.isNull()) runtimeEvidence = null;
    }

    /**
     * The same work under a delegation's terms.
     *
     * @param opener what the opener's authorship of the DoD is worth
     * @param tier the ladder's current tier
     */
    public Submission under(
            Assurance opener, String tier, List<Check> terms, boolean mayChangeNothing) {
        Producer climbing =
                new Producer(
                        producer.id(),
                        producer.drafterId(),
                        producer.tier() == null ? tier : producer.tier(),
                        producer.model(),
                        producer.error());
        return new Submission(
                project,
                mode,
                wiring,
                acceptance,
                dispatch,
                trivial,
                opener,
                climbing,
                finalReturnText,
                changedFiles,
                declaredOutputs,
                workspace,
                base,
                cwd,
                hints,
                runtimeEvidence,
                limits,
                callback,
                terms,
                mayChangeNothing,
                rerunOf);
    }

    /** The same work once more, linked to the first verification. */
    Submission again(VerificationId first) {
        return new Submission(
                project,
                mode,
                wiring,
                acceptance,
                dispatch,
                trivial,
                author,
                producer,
                finalReturnText,
                changedFiles,
                declaredOutputs,
                workspace,
                base,
                cwd,
                hints,
                runtimeEvidence,
                limits,
                callback,
                contract,
                acceptNoChanges,
                first);
    }

    /** The DoD as far as it stands in the request: its block and contract, or nothing. */
    public Dod dod() {
        return Gate.explicitDod(gateRequest(hints, false));
    }

    /** What the gate reads of it. */
    GateRequest gateRequest(Hints resolved, boolean changeSetKnownEmpty) {
        return new GateRequest(
                mode,
                wiring,
                acceptance,
                dispatch,
                trivial,
                resolved,
                changeSetKnownEmpty,
                contract,
                producer.error());
    }

    /**
     * Ceilings that a request asks for; they can only lower the project's. Milliseconds, null takes
     * the project's.
     */
    public record Limits(
            @Nullable Long gateBudgetMs,
            @Nullable Long checkTimeoutMs,
            @Nullable Long graderTimeoutMs) {
        public static final Limits NONE = new Limits(null, null, null);
    }
}
