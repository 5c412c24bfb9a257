package io.countersign.check;

import io.countersign.check.CommandRunner.Run;
import io.countersign.check.report.Tally;
import io.countersign.dod.Check;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * {@code testsPass}: exit 0, and tests really ran. What the run printed and wrote is read within
 * the check's time-box too.
 */
final class TestsPassCheck {
    private TestsPassCheck() {}

    static Evaluation evaluate(Check.TestsPass check, Job job, CommandRunner runner, Watch watch)
            throws InterruptedException {
        ReportFiles reports;
        try {
            reports = ReportFiles.beforeRun(job.context(), check.report(), watch);
        } catch (ReportFiles.BadReport e) {
            return TestJudgement.badReport(e);
        }
        return switch (runner.run(job, null)) {
            case Run.Stopped(Evaluation evaluation) -> evaluation;
            case Run.Ended ended -> {
                TestScript script = TestScript.of(job.argv(), job.context().workspace());
                Tally printed = Captures.lines(ended.output()).tally(watch::tick);
                yield new TestJudgement(
                                job.shown(),
                                ended.code(),
                                reports.afterRun(),
                                printed,
                                check.report(),
                                check.min(),
                                job.context().policy().requireReport(),
                                objection(script, job, ended),
                                script.inert(),
                                Findings.changedTests(job.context().changeSet()))
                        .judge()
                        .of(ended.process());
            }
        };
    }

    private static @Nullable String objection(TestScript script, Job job, Run.Ended ended) {
        String objection = script.objection();
        if (objection != null) return objection + changedManifest(job);
        boolean silent =
                saysNothing(ended.process().stdout()) && saysNothing(ended.process().stderr());
        return silent ? "the command printed nothing" + changedManifest(job) : null;
    }

    private static String changedManifest(Job job) {
        boolean script = PackageScripts.scriptOf(job.argv()) != null;
        List<String> changed = Findings.changedManifests(job.context().changeSet());
        return script && !changed.isEmpty() ? "; the change-set has " + changed.getFirst() : "";
    }

    /** Nothing but what a package manager says of itself. */
    private static boolean saysNothing(CapturedText output) {
        return output.text()
                .lines()
                .map(String::strip)
                .allMatch(line -> line.isEmpty() || line.startsWith("> ") || line.startsWith("$ "));
    }
}
