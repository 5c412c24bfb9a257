package io.countersign.gate;

import io.countersign.check.CheckOutcome;
import io.countersign.check.CheckResult;
import io.countersign.check.TestCounts;
import io.countersign.dod.Check;
import io.countersign.dod.Dod;
import io.countersign.dod.DodParser;
import io.countersign.dod.Inference;
import io.countersign.dod.ParsedBlock;
import io.countersign.grader.GradingResult;
import io.countersign.kernel.Cause;
import io.countersign.kernel.Finding;
import io.countersign.kernel.ProblemException;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The one gate that every way in ends at. Two pure functions: {@link #plan} says what must happen,
 * {@link #conclude} turns what happened into one verdict. Fail closed: whatever is not proven to
 * hold does not pass.
 */
public final class Gate {
    /**
     * Characters of output in the evidence: of a check that passed, of one that did not, of all.
     */
    private static final int SHORT_OUTPUT = 500;

    private static final int LONG_OUTPUT = 2_000;
    private static final int ALL_OUTPUT = 10_000;

    private static final Dod NOTHING =
            new Dod(Dod.Source.NONE, null, List.of(), List.of(), List.of());

    private Gate() {}

    /**
     * Decides what must happen; the rows of "Proportional skips" in {@code dod-language.md}, first
     * that applies.
     *
     * @throws ProblemException 422 for a DoD over its limits
     */
    public static Plan plan(GateRequest request, GatePolicy policy) {
        Block block = readBlock(request);
        if (request.producerError() != null) {
            return new Plan.Refuse(
                    block.dod(),
                    Cause.WORK,
                    List.of("producer failed: " + request.producerError()));
        }
        if (policy.require() == Require.NEVER) {
            return new Plan.Skip(block.dod(), "verification disabled (verify.require=never)");
        }
        if (policy.acceptNoChanges() && request.changeSetKnownEmpty()) {
            return new Plan.Skip(block.dod(), "no_changes");
        }
        if (block.fault() != null) {
            return new Plan.Refuse(block.dod(), Cause.DOD, List.of(block.fault()));
        }
        if (block.present()) return verify(block.dod(), policy);
        return planWithoutBlock(request, policy);
    }

    private static Plan planWithoutBlock(GateRequest request, GatePolicy policy) {
        boolean proportional = policy.require() != Require.ALWAYS;
        Dod inferred =
                request.mode() == Mode.PLAN || policy.requireExplicitDod()
                        ? NOTHING
                        : Inference.infer(request.dispatch(), request.hints()).dod();
        if (request.trivial() && proportional) {
            return new Plan.Skip(inferred, "the task is marked trivial");
        }
        if (request.mode() == Mode.PLAN) {
            return new Plan.Refuse(
                    NOTHING,
                    Cause.DOD,
                    List.of(
                            "the plan task has no acceptance block (plan mode is strict): add"
                                    + " [acceptance] ... [/acceptance] or mark it [trivial]"));
        }
        if (policy.requireExplicitDod()) {
            return new Plan.Refuse(
                    NOTHING,
                    Cause.DOD,
                    List.of(
                            "an explicit Definition of Done is required: add an [acceptance] block"
                                    + " to the dispatch"));
        }
        if (request.wiring() == Wiring.ADVISORY
                && inferred.kind() == Dod.Kind.CHECKER
                && request.changeSetKnownEmpty()
                && proportional) {
            return new Plan.Skip(inferred, "nothing changed, so there is nothing to grade");
        }
        return verify(inferred, policy);
    }

    private static Plan verify(Dod dod, GatePolicy policy) {
        Dod baseline = null;
        if (policy.baseline() != null) {
            ParsedBlock parsed = DodParser.parse(policy.baseline(), Dod.Source.EXPLICIT);
            baseline = parsed.dod();
            if (baseline == null || baseline.kind() == Dod.Kind.NONE) {
                return new Plan.Refuse(
                        dod,
                        Cause.DOD,
                        List.of("the project's baseline has no acceptance block to verify"));
            }
        }
        boolean grades =
                dod.kind() == Dod.Kind.CHECKER
                        || (!policy.preferDeterministic() && !dod.criteria().isEmpty());
        return new Plan.Verify(dod, baseline, grades);
    }

    /**
     * The block that a request carries.
     *
     * @param present whether a complete block was found
     * @param fault why the block cannot be verified; null when it can, or there is none
     */
    private record Block(Dod dod, boolean present, @Nullable String fault) {}

    private static Block readBlock(GateRequest request) {
        Dod.Source source =
                request.mode() == Mode.PLAN ? Dod.Source.ANNOTATION : Dod.Source.EXPLICIT;
        boolean field = request.acceptance() != null;
        String text = field ? request.acceptance() : request.dispatch();
        ParsedBlock parsed = DodParser.parse(text == null ? "" : text, source);
        Dod dod = parsed.dod();
        if (dod == null) {
            if (!field && !parsed.loneTag() && !request.contract().isEmpty()) {
                Dod contract = new Dod(source, null, request.contract(), List.of(), List.of());
                return new Block(contract, true, null);
            }
            Dod none = new Dod(Dod.Source.NONE, null, List.of(), List.of(), parsed.diagnostics());
            if (parsed.loneTagReason() != null)
                return new Block(none, false, parsed.loneTagReason());
            String absent = "acceptance holds no complete [acceptance] ... [/acceptance] block";
            return new Block(none, false, field ? absent : null);
        }
        if (dod.kind() == Dod.Kind.NONE) {
            return new Block(
                    dod, true, "the acceptance block is empty: it has no check and no criterion");
        }
        return new Block(withContract(dod, request.contract()), true, null);
    }

    private static Dod withContract(Dod dod, List<Check> contract) {
        if (contract.isEmpty()) return dod;
        List<Check> checks = new ArrayList<>(dod.checks());
        checks.addAll(contract);
        return new Dod(dod.source(), dod.deliverable(), checks, dod.criteria(), dod.diagnostics());
    }

    /**
     * The DoD that a request shows before its workspace is known: its block, or nothing.
     *
     * @throws ProblemException 422 for a DoD over its limits
     */
    public static Dod explicitDod(GateRequest request) {
        return readBlock(request).dod();
    }

    /** The verdict of a plan that runs nothing. */
    public static Verdict conclude(Plan.Skip skip, Assurance assurance) {
        return new Verdict(
                false,
                true,
                Method.NONE,
                null,
                assurance,
                List.of(skip.reason()),
                List.of(),
                "not verified");
    }

    /** The verdict of a plan that runs nothing. */
    public static Verdict conclude(Plan.Refuse refusal, Assurance assurance) {
        return failed(Method.NONE, refusal.cause(), assurance, refusal.reasons());
    }

    /** The verdict when the gate itself could not go on. */
    public static Verdict broken(Cause cause, Assurance assurance, String reason) {
        return failed(Method.NONE, cause, assurance, List.of(reason));
    }

    private static Verdict failed(
            Method method, Cause cause, Assurance assurance, List<String> reasons) {
        return new Verdict(false, false, method, cause, assurance, reasons, List.of(), "");
    }

    /**
     * The verdict of a plan that was carried out.
     *
     * @param author what the DoD's authorship is worth by itself: independent or self; a baseline
     *     that was demanded and held lifts self to baseline
     */
    public static Verdict conclude(Plan.Verify plan, Results results, Assurance author) {
        List<String> reasons = new ArrayList<>();
        Set<Cause> causes = new LinkedHashSet<>();
        if (results.setupFault() != null) {
            reasons.add("setup: " + results.setupFault().reason());
            causes.add(results.setupFault().cause());
        }
        if (results.deliverableFault() != null) {
            reasons.add(results.deliverableFault());
            causes.add(Cause.WORK);
        }
        if (results.closedAfter() != null) {
            reasons.add(
                    "verification gate timed out after " + results.closedAfter().toMillis() + "ms");
            causes.add(Cause.WORK);
        }
        addCheckFaults(plan, results, reasons, causes);
        addGradingFaults(plan, results, reasons, causes);
        boolean pass = causes.isEmpty();
        List<Finding> findings = findings(results);
        Method method = method(results);
        Assurance assurance = assurance(plan, author, pass);
        if (pass) reasons.addAll(passReasons(results));
        Cause cause = pass ? null : causes.stream().min(Cause::compareTo).orElseThrow();
        return new Verdict(
                pass, false, method, cause, assurance, reasons, findings, evidence(plan, results));
    }

    private static void addCheckFaults(
            Plan.Verify plan, Results results, List<String> reasons, Set<Cause> causes) {
        List<Check> expected = plan.checks();
        for (CheckResult result : results.checks()) {
            if (result.passed()) continue;
            String reason = result.reason() == null ? "not run" : result.reason();
            reasons.add(result.kind() + ": " + reason);
            if (result.cause() != null) causes.add(result.cause());
        }
        boolean unexplained =
                results.checks().stream().anyMatch(result -> !result.passed()) && causes.isEmpty();
        if (results.checks().size() != expected.size() || unexplained) {
            reasons.add("verification failed (fail-closed)");
            causes.add(Cause.INFRASTRUCTURE);
        }
    }

    private static void addGradingFaults(
            Plan.Verify plan, Results results, List<String> reasons, Set<Cause> causes) {
        GradingResult grading = results.grading();
        if (grading != null) {
            if (grading.pass()) return;
            reasons.addAll(grading.reasons());
            if (grading.reasons().isEmpty()) reasons.add("the grader refused without a reason");
            causes.add(grading.cause() == null ? Cause.WORK : grading.cause());
        } else if (causes.isEmpty() && !plan.criteria(true).isEmpty()) {
            reasons.add("verification failed (fail-closed): the criteria were not graded");
            causes.add(Cause.INFRASTRUCTURE);
        }
    }

    private static Method method(Results results) {
        boolean checkFailed = results.checks().stream().anyMatch(result -> !result.passed());
        if (results.grading() != null && !checkFailed) return Method.CHECKER;
        return results.checks().isEmpty() ? Method.NONE : Method.DETERMINISTIC;
    }

    private static Assurance assurance(Plan.Verify plan, Assurance author, boolean pass) {
        if (author == Assurance.INDEPENDENT) return author;
        return pass && plan.baseline() != null ? Assurance.BASELINE : Assurance.SELF;
    }

    private static List<String> passReasons(Results results) {
        List<String> reasons = new ArrayList<>();
        if (!results.checks().isEmpty()) reasons.add(allPassed(results));
        if (results.grading() != null) reasons.addAll(results.grading().reasons());
        if (reasons.isEmpty()) reasons.add("every criterion holds");
        return reasons;
    }

    private static String allPassed(Results results) {
        return "all " + results.checks().size() + " deterministic checks passed";
    }

    /** What the verdict rests on: a summary line, then the ends of what commands wrote. */
    private static String evidence(Plan.Verify plan, Results results) {
        List<String> parts = new ArrayList<>();
        if (plan.dod().source() == Dod.Source.INFERRED) {
            parts.add("no acceptance block: the Definition of Done was inferred");
        }
        long passed = results.checks().stream().filter(CheckResult::passed).count();
        if (!results.checks().isEmpty()) {
            parts.add(passed + " of " + results.checks().size() + " deterministic checks passed");
        }
        results.checks().forEach(result -> addTestCounts(parts, result));
        if (results.grading() != null) {
            parts.add(results.grading().pass() ? "graded: holds" : "graded: does not hold");
        }
        return String.join("; ", parts) + outputs(results);
    }

    private static void addTestCounts(List<String> parts, CheckResult result) {
        TestCounts tests = result.tests();
        if (tests != null) {
            parts.add(
                    "%s: %d tests run, %d failed, %d skipped"
                            .formatted(
                                    result.kind(), tests.run(), tests.failed(), tests.skipped()));
        } else if (result.testsUnknown() && result.outcome() == CheckOutcome.PASSED) {
            parts.add(result.kind() + ": tests: unknown (nothing said how many ran)");
        }
    }

    private static String outputs(Results results) {
        StringBuilder all = new StringBuilder();
        for (CheckResult result : results.checks()) {
            String output = result.outputTail(result.passed() ? SHORT_OUTPUT : LONG_OUTPUT);
            if (output.isBlank() || all.length() > ALL_OUTPUT) continue;
            all.append("\nUNTRUSTED output of ").append(result.kind()).append(", its end:\n");
            all.append(output.strip());
        }
        return all.toString();
    }

    private static List<Finding> findings(Results results) {
        Set<Finding> findings = new LinkedHashSet<>(results.findings());
        results.checks().forEach(result -> findings.addAll(result.findings()));
        if (results.grading() != null) findings.addAll(results.grading().findings());
        return List.copyOf(findings);
    }
}
