package io.countersign.verification;

/**
 * The two lanes of durable work. Checks take a platform thread and a slot each; what only waits for
 * somebody else (a grader, a callback's receiver) has virtual threads of its own, so that a
 * thousand waiting graders never starve a check.
 */
enum Lane {
    CHECKS("scheduled_tasks_checks"),
    WAITING("scheduled_tasks_waiting");

    private final String view;

    Lane(String view) {
        this.view = view;
    }

    /** The view of {@code scheduled_tasks} that shows this lane's rows only. */
    String view() {
        return view;
    }
}
