package io.countersign.check.sandbox;

/** Stands in on a replica without workers: it starts nothing, and says so. */
final class AbsentSandbox implements Sandbox {
    @Override
    public String isolation() {
        return ProcessSandbox.ISOLATION;
    }

    @Override
    public Outcome run(Command command, Limits limits) {
        return new Outcome.NotStarted("this replica runs no checks (countersign.roles)", false);
    }
}
