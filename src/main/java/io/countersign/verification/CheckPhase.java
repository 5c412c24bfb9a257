package io.countersign.verification;

import io.countersign.artefact.PreparedWorkspace;
import io.countersign.check.CheckContext;
import io.countersign.check.CheckOutcome;
import io.countersign.check.CheckResult;
import io.countersign.check.Checks;
import io.countersign.check.Deliverable;
import io.countersign.check.SetupResult;
import io.countersign.dod.Check;
import io.countersign.dod.CheckKind;
import io.countersign.evidence.EvidenceValidator;
import io.countersign.evidence.ValidatedEvidence;
import io.countersign.evidence.Validation;
import io.countersign.gate.Plan;
import io.countersign.gate.Results;
import io.countersign.kernel.Finding;
import io.countersign.verification.VerificationEvent.Type;

import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Carries out the checks of a plan: refusals first (then nothing runs), the deliverable, the setup
 * step, and the checks under the gate's budget, which begins when their turn has come.
 */
@Component
class CheckPhase {
    private final Checks checks;
    private final CheckSlots slots;
    private final InstantSource clock;
    private final JsonMapper json;

    CheckPhase(Checks checks, CheckSlots slots, InstantSource clock, JsonMapper json) {
        this.checks = checks;
        this.slots = slots;
        this.clock = clock;
        this.json = json;
    }

    /**
     * What the checks came to.
     *
     * @param mayGrade false when something refused, missing or broken stands before any grading
     * @param used how much of the gate's budget is spent
     */
    record Checked(Results results, @Nullable SetupResult setup, boolean mayGrade, Duration used) {
        /** Whether the request's own checks passed, apart from the baseline's. */
        boolean ownPassed(Plan.Verify plan) {
            return results.checks().stream()
                    .limit(plan.dod().checks().size())
                    .allMatch(CheckResult::passed);
        }
    }

    Checked run(RunContext context, VerificationJob.Prepared prepared, Plan.Verify plan)
            throws InterruptedException {
        PreparedWorkspace files = prepared.files();
        List<Check> all = plan.checks();
        List<CheckResult> refused = checks.preflight(all, at(context, files, Instant.MAX));
        if (refused.stream().anyMatch(result -> result.cause() != null)) {
            refused.forEach(result -> announce(context, result));
            return stopped(files, null, null, refused);
        }
        String deliverable = Deliverable.fault(plan.dod().deliverable(), files.workspace());
        if (deliverable != null) return stopped(files, deliverable, null, notRun(all));
        if (context.policy().setup() == null && !runsCommands(all)) {
            return check(context, files, all, null);
        }
        try (CheckSlots.Slot slot = slots.take(context.claim().queuedAt())) {
            SetupResult setup = setup(context, files);
            if (setup != null && !setup.passed()) return stopped(files, null, setup, notRun(all));
            return check(context, files, all, setup);
        }
    }

    private static boolean runsCommands(List<Check> checks) {
        return checks.stream().anyMatch(Check.Runs.class::isInstance);
    }

    private @Nullable SetupResult setup(RunContext context, PreparedWorkspace files)
            throws InterruptedException {
        EffectivePolicy.Setup setup = context.policy().setup();
        if (setup == null) return null;
        SetupResult result =
                checks.setup(
                        setup.command(),
                        setup.timeout(),
                        at(context, files, clock.instant().plus(setup.timeout())),
                        files::altered);
        context.journal().add(Type.SETUP, json.writeValueAsString(member(result)));
        return result;
    }

    private Checked check(
            RunContext context,
            PreparedWorkspace files,
            List<Check> all,
            @Nullable SetupResult setup)
            throws InterruptedException {
        Duration budget = context.policy().gateBudget();
        Instant opened = clock.instant();
        List<CheckResult> results =
                checks.run(
                        all,
                        at(context, files, opened.plus(budget)),
                        result -> announce(context, result));
        Duration used = Duration.between(opened, clock.instant());
        boolean closed = used.compareTo(budget) >= 0;
        return new Checked(
                new Results(null, null, results, null, closed ? budget : null, files.findings()),
                setup,
                true,
                used);
    }

    private static Checked stopped(
            PreparedWorkspace files,
            @Nullable String deliverable,
            @Nullable SetupResult setup,
            List<CheckResult> results) {
        Results.SetupFault fault =
                setup == null || setup.cause() == null
                        ? null
                        : new Results.SetupFault(
                                setup.reason() == null ? "failed" : setup.reason(), setup.cause());
        List<Finding> findings = files.findings();
        return new Checked(
                new Results(deliverable, fault, results, null, null, findings),
                setup,
                false,
                Duration.ZERO);
    }

    private static List<CheckResult> notRun(List<Check> all) {
        List<CheckResult> results = new ArrayList<>();
        for (Check check : all) {
            results.add(
                    new CheckResult(
                            results.size(),
                            CheckKind.kind(check),
                            check instanceof Check.Runs runs ? runs.command() : null,
                            CheckOutcome.NOT_RUN,
                            null,
                            null,
                            null,
                            Duration.ZERO,
                            null,
                            null,
                            false,
                            null,
                            null,
                            List.of()));
        }
        return results;
    }

    private static CheckContext at(RunContext context, PreparedWorkspace files, Instant closesAt) {
        return new CheckContext(
                files.workspace(),
                files.changeSet(),
                context.policy().checks(),
                evidence(context.submission()),
                closesAt);
    }

    private static @Nullable ValidatedEvidence evidence(Submission submission) {
        JsonNode document = submission.runtimeEvidence();
        return document != null
                        && EvidenceValidator.validate(document) instanceof Validation.Valid valid
                ? valid.evidence()
                : null;
    }

    private void announce(RunContext context, CheckResult result) {
        Map<String, @Nullable Object> member =
                CheckResults.member(result, CheckResults.output(result));
        context.journal().add(Type.CHECK, json.writeValueAsString(member));
    }

    /** The {@code setup} member of a verification. */
    static Map<String, @Nullable Object> member(SetupResult setup) {
        Map<String, @Nullable Object> member = new LinkedHashMap<>();
        member.put("command", setup.command());
        member.put("outcome", setup.outcome().wire());
        member.put("reason", setup.reason());
        member.put("exitCode", setup.exitCode());
        member.put("durationMs", setup.duration().toMillis());
        return member;
    }
}
