package io.countersign.check;

import io.countersign.check.CommandRunner.Run;
import io.countersign.dod.Check;

/** {@code run}: exit 0 and, if given, the expected text in the whole of stdout or stderr. */
final class RunCheck {
    private static final int SHOWN_LINE = 200;

    private RunCheck() {}

    static Evaluation evaluate(Check.Run check, Job job, CommandRunner runner)
            throws InterruptedException {
        return switch (runner.run(job, check.expect())) {
            case Run.Stopped(Evaluation evaluation) -> evaluation;
            case Run.Ended ended -> judge(check, job, ended).of(ended.process());
        };
    }

    private static Evaluation judge(Check.Run check, Job job, Run.Ended ended) {
        String expect = check.expect();
        boolean found = expect == null || ended.output().expectFound();
        if (ended.code() != 0) {
            boolean tell = expect != null && found;
            return Evaluation.failed(
                    ended.exited(job)
                            + (tell ? " (the expected text was printed)" : "")
                            + CommandRunner.missingScript(ended.process()));
        }
        if (found) return Evaluation.PASSED;
        return Evaluation.failed(
                "expected text \"%s\" not found in the output%s: %s"
                        .formatted(expect, lastLine(ended.process()), job.shown()));
    }

    private static String lastLine(Evaluation.Process process) {
        String line = Captures.lastLine(process.stdout(), process.stderr());
        if (line == null) return ", which is empty";
        String shown = line.length() > SHOWN_LINE ? line.substring(0, SHOWN_LINE) + "..." : line;
        return ", which ends with \"" + shown + "\"";
    }
}
