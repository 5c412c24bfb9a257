package io.countersign.check;

import io.countersign.dod.Check;
import io.countersign.dod.CheckKind;
import io.countersign.kernel.Cause;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * A check with its place and, for one that runs a command, the command it came to. Commands are
 * settled for all checks before the first one runs, so that none can change another's.
 *
 * @param index its place in the DoD
 * @param command null for a check that runs none
 * @param argv the command's words; empty for none and for a refused one
 * @param stop why nothing may run because of this check; null when it may
 */
record Planned(
        int index,
        Check check,
        @Nullable String command,
        List<String> argv,
        @Nullable Evaluation stop) {

    /** No budget is longer; a check may ask for centuries. */
    private static final Duration MAX_BOX = Duration.ofDays(1);

    static List<Planned> all(List<Check> checks, CheckContext context) {
        Defaults defaults = new Defaults(context);
        List<Planned> plan = new ArrayList<>();
        for (Check check : checks) plan.add(of(plan.size(), check, context, defaults));
        return plan;
    }

    private static Planned of(int index, Check check, CheckContext context, Defaults defaults) {
        if (check instanceof Check.Malformed malformed) {
            return new Planned(index, check, null, List.of(), malformed(malformed));
        }
        if (!(check instanceof Check.Runs runs)) {
            return new Planned(index, check, null, List.of(), null);
        }
        String command = runs.command() == null ? defaults.of(runs) : runs.command();
        return switch (CommandPolicy.read(command, context.policy().allowlist())) {
            case CommandReading.Allowed(List<String> argv) ->
                    new Planned(index, check, command, argv, null);
            case CommandReading.Refused(String reason) ->
                    new Planned(
                            index,
                            check,
                            command,
                            List.of(),
                            Evaluation.not(
                                    CheckOutcome.REFUSED,
                                    "command refused: " + reason,
                                    Cause.POLICY));
        };
    }

    static Evaluation malformed(Check.Malformed check) {
        return Evaluation.failed(check.reason(), Cause.DOD);
    }

    /** Files and schemas, then lint, build, tests, run; within a tier as in the DoD. */
    static List<Planned> cheapFirst(List<Planned> plan) {
        return plan.stream().sorted(Comparator.comparingInt(Planned::tier)).toList();
    }

    int tier() {
        return switch (check) {
            case Check.LintClean lint -> 1;
            case Check.BuildPasses build -> 2;
            case Check.TestsPass tests -> 3;
            case Check.FailToPass tests -> 3;
            case Check.PassToPass tests -> 3;
            case Check.Run run -> 4;
            case Check.FileExists file -> 0;
            case Check.FileAbsent file -> 0;
            case Check.FileContains file -> 0;
            case Check.SchemaMatch schema -> 0;
            case Check.OnlyChanged changes -> 0;
            case Check.Unchanged changes -> 0;
            case Check.ToolCalled evidence -> 0;
            case Check.ToolNotCalled evidence -> 0;
            case Check.EvidenceComplete evidence -> 0;
            case Check.Malformed malformed -> 0;
        };
    }

    String kind() {
        return CheckKind.kind(check);
    }

    /** The check's own time-box, else the policy's. */
    Duration box(CheckPolicy policy) {
        Duration own = check instanceof Check.Runs runs ? runs.timeout() : null;
        Duration box = own == null ? policy.checkTimeout() : own;
        return box.compareTo(MAX_BOX) < 0 ? box : MAX_BOX;
    }

    Job job(CheckContext context, Duration box, boolean atGate) {
        return new Job(command == null ? "" : command, argv, context, box, atGate);
    }

    CheckResult result(Evaluation evaluation) {
        return result(evaluation, Duration.ZERO);
    }

    CheckResult result(Evaluation evaluation, Duration took) {
        return evaluation.result(index, kind(), command, took);
    }

    /** Default commands, looked up once and only when a check needs one. */
    private static final class Defaults {
        private final CheckContext context;
        private @Nullable DefaultCommands found;

        Defaults(CheckContext context) {
            this.context = context;
        }

        String of(Check.Runs check) {
            CheckPolicy policy = context.policy();
            return switch (check) {
                case Check.TestsPass tests ->
                        WorkspaceDefaults.orElse(
                                policy.defaultTest(), workspace().test(), "npm test");
                case Check.BuildPasses build ->
                        WorkspaceDefaults.orElse(
                                policy.defaultBuild(), workspace().build(), "npm run build");
                case Check.LintClean lint ->
                        WorkspaceDefaults.orElse(
                                policy.defaultLint(), workspace().lint(), "npm run lint");
                case Check.Run run -> run.command();
                case Check.FailToPass tests -> tests.command();
                case Check.PassToPass tests -> tests.command();
            };
        }

        private DefaultCommands workspace() {
            if (found == null) {
                found =
                        context.workspace() == null
                                ? DefaultCommands.NONE
                                : WorkspaceDefaults.commands(
                                        context.workspace(), context.policy().allowlist());
            }
            return found;
        }
    }
}
