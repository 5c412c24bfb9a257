package io.countersign.verification;

import io.countersign.artefact.ChangeSet;
import io.countersign.artefact.Materialised;
import io.countersign.artefact.PreparedWorkspace;
import io.countersign.artefact.Workspaces;
import io.countersign.check.CheckPolicy;
import io.countersign.check.DefaultCommands;
import io.countersign.check.WorkspaceDefaults;
import io.countersign.dod.Hints;
import io.countersign.gate.Gate;
import io.countersign.gate.Plan;
import io.countersign.kernel.Ids;

import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * The job of the checks lane: materialise, plan, carry out the plan's checks. What must be graded
 * is handed to the waiting lane; everything else is concluded here.
 */
@Component
class VerificationJob {
    static final String TASK = "verification";

    private final Workspaces workspaces;
    private final CheckPhase checks;
    private final Concluding concluding;
    private final Ids ids;

    VerificationJob(Workspaces workspaces, CheckPhase checks, Concluding concluding, Ids ids) {
        this.workspaces = workspaces;
        this.checks = checks;
        this.concluding = concluding;
        this.ids = ids;
    }

    void run(RunContext context) throws InterruptedException {
        try (Prepared prepared = prepare(context)) {
            if (prepared == null) return;
            switch (prepared.plan()) {
                case Plan.Skip skip -> concluding.without(context, prepared, skip);
                case Plan.Refuse refuse -> concluding.without(context, prepared, refuse);
                case Plan.Verify verify -> {
                    CheckPhase.Checked checked = checks.run(context, prepared, verify);
                    if (checked.results().closedAfter() == null
                            && checked.mayGrade()
                            && !verify.criteria(checked.ownPassed(verify)).isEmpty()) {
                        concluding.handOver(context, prepared, checked);
                    } else {
                        concluding.conclude(
                                context, prepared, verify, checked.results(), checked.setup());
                    }
                }
            }
        }
    }

    /** The workspace of a run and the plan that follows from it. */
    record Prepared(PreparedWorkspace files, Plan plan) implements AutoCloseable {
        @Override
        public void close() {
            files.close();
        }
    }

    /** Null when there is no workspace to be had: that is concluded then. */
    @Nullable Prepared prepare(RunContext context) throws InterruptedException {
        Submission submission = context.submission();
        Materialised materialised =
                workspaces.materialise(
                        context.project(),
                        submission.workspace(),
                        submission.base(),
                        submission.changedFiles(),
                        submission.cwd(),
                        ids.next());
        return switch (materialised) {
            case Materialised.Refused refused -> {
                concluding.withoutResults(
                        context,
                        Gate.broken(refused.cause(), submission.author(), refused.reason()));
                yield null;
            }
            case Materialised.Ready ready -> planned(context, ready.workspace());
        };
    }

    private static Prepared planned(RunContext context, PreparedWorkspace files) {
        try {
            Submission submission = context.submission();
            Hints hints = hints(submission.hints(), context.policy().checks(), files);
            return new Prepared(
                    files,
                    Gate.plan(
                            submission.gateRequest(hints, files.changeSet().knownEmpty()),
                            context.policy().gate(submission.acceptNoChanges())));
        } catch (Throwable e) {
            files.close();
            throw e;
        }
    }

    /**
     * Hints come from the request, else the project's settings, else, only when files changed, the
     * workspace itself: a research delegation must not be turned into a test run.
     */
    private static Hints hints(Hints asked, CheckPolicy project, PreparedWorkspace files) {
        DefaultCommands found =
                changed(files.changeSet())
                        ? WorkspaceDefaults.commands(files.workspace(), project.allowlist())
                        : DefaultCommands.NONE;
        return new Hints(
                first(asked.testCommand(), project.defaultTest(), found.test()),
                first(asked.buildCommand(), project.defaultBuild(), found.build()),
                first(asked.lintCommand(), project.defaultLint(), found.lint()),
                asked.declaredPath());
    }

    private static boolean changed(ChangeSet changeSet) {
        return changeSet instanceof ChangeSet.Known known && !known.files().isEmpty();
    }

    private static @Nullable String first(@Nullable String... commands) {
        for (String command : commands) {
            if (command != null && !command.isBlank()) return command;
        }
        return null;
    }
}
