package io.countersign.grader;

import io.countersign.artefact.ChangeSet;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.time.Instant;
import java.util.List;

/**
 * What is to be graded, and how.
 *
 * @param criteria in order, numbered from 1 towards the grader; not empty
 * @param deliverable what the work should deliver, in words; null for none or a mere path
 * @param producer who made the artefact
 * @param artefact untrusted, all of it
 * @param checks what deterministic checks already showed; empty when none ran
 * @param policy as frozen at submission
 * @param deadline the gate's end: no attempt outlives it
 */
public record GradingRequest(
        List<String> criteria,
        @Nullable String deliverable,
        Producer producer,
        Artefact artefact,
        List<ShownCheck> checks,
        GraderPolicy policy,
        Instant deadline) {
    public GradingRequest {
        criteria = List.copyOf(criteria);
        checks = List.copyOf(checks);
        if (criteria.isEmpty()) throw new IllegalArgumentException("there are no criteria");
    }

    /**
     * Who made the artefact, as far as it may be believed; none of it reaches the grader.
     *
     * @param id the producing session; null when none was named
     * @param tier null or an unknown name counts as the highest
     * @param model as {@code provider/model}; null when unknown
     */
    public record Producer(@Nullable String id, @Nullable String tier, @Nullable String model) {}

    /**
     * The work under judgement.
     *
     * @param finalReturnText what the producer said at the end
     * @param changeSet what changed; when unknown, every file counts as changed
     * @param declaredOutputs paths that the producer named
     * @param cwd the directory the work is about, relative to the root; empty for the root
     * @param files the frozen workspace; {@link FrozenFiles#NONE} without one
     * @param evidence further evidence as JSON; null for none. A key that bears the drafter's
     *     intent, at any depth, refuses the whole
     */
    public record Artefact(
            String finalReturnText,
            ChangeSet changeSet,
            List<String> declaredOutputs,
            String cwd,
            FrozenFiles files,
            @Nullable JsonNode evidence) {
        public Artefact {
            declaredOutputs = List.copyOf(declaredOutputs);
        }
    }

    /**
     * One deterministic check as the grader is shown it.
     *
     * @param kind as spelled in the language
     * @param command what it ran; null when nothing
     * @param outcome as it stands in JSON, for example {@code passed}
     * @param reason why it did not pass; null when it did
     * @param output the end of what it wrote, already bounded; null for nothing
     */
    public record ShownCheck(
            String kind,
            @Nullable String command,
            String outcome,
            @Nullable String reason,
            @Nullable String output) {}
}
