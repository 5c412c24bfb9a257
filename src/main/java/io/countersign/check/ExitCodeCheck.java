package io.countersign.check;

import io.countersign.check.CommandRunner.Run;

/** {@code buildPasses} and {@code lintClean}: exit 0. */
final class ExitCodeCheck {
    private ExitCodeCheck() {}

    static Evaluation evaluate(Job job, CommandRunner runner) throws InterruptedException {
        return switch (runner.run(job, null)) {
            case Run.Stopped(Evaluation evaluation) -> evaluation;
            case Run.Ended ended -> judge(job, ended).of(ended.process());
        };
    }

    private static Evaluation judge(Job job, Run.Ended ended) {
        return ended.code() == 0
                ? Evaluation.PASSED
                : Evaluation.failed(
                        ended.exited(job) + CommandRunner.missingScript(ended.process()));
    }
}
