package io.countersign.check;

import io.countersign.artefact.ChangeSet;
import io.countersign.artefact.Workspace;
import io.countersign.evidence.ValidatedEvidence;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/**
 * What the checks of one verification are judged against.
 *
 * @param workspace the fresh workspace; null when the verification has none
 * @param changeSet as frozen before anything ran
 * @param policy the frozen policy
 * @param evidence the verification's runtime evidence; null when none came along
 * @param closesAt when the gate budget closes; nothing runs longer
 */
public record CheckContext(
        @Nullable Workspace workspace,
        ChangeSet changeSet,
        CheckPolicy policy,
        @Nullable ValidatedEvidence evidence,
        Instant closesAt) {}
