package io.countersign.delegation;

import io.countersign.dod.Dod;

import org.jspecify.annotations.Nullable;

/**
 * One task of a plan, a heading or a list item.
 *
 * @param line from 1
 * @param depth how many tasks it stands under
 * @param level of a heading, 1 to 6; 0 for a list item
 * @param title without list marker, check box and {@code [trivial]}
 * @param done state of its check box; null without one
 */
record PlanTask(
        int line, int depth, int level, String title, @Nullable Boolean done, Finding finding) {

    /** What the lint found about the task. */
    sealed interface Finding {}

    /** It has a Definition of Done. */
    record Defined(Dod dod) implements Finding {}

    /** It is marked as trivial: it needs none. */
    record Trivial() implements Finding {}

    /** It only groups the tasks below it. */
    record Group() implements Finding {}

    /**
     * It is a step of a task above it that has a block or is trivial.
     *
     * @param by line of that task
     */
    record Covered(int by) implements Finding {}

    /**
     * An authoring error.
     *
     * @param dod what its block says, when it has one
     * @param message what is wrong and what to do
     */
    record Faulty(@Nullable Dod dod, String message) implements Finding {}
}
